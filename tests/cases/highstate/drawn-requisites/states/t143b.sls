s5:
  pkg.run:
  - onfail_all:
    - test: s0
  - enable: 91
  - mode: 73
s6:
  test.run:
  - names:
    - k60:
      - mode: 5
  - onfail_all:
    - test: s0
  - prereq:
    - s3
  - user: 51
  - mode: 9
