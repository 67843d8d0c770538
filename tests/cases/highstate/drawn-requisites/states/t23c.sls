s1:
  test.run:
  - prereq:
    - id: s9
s5:
  pkg.run:
  - names:
    - m50
  - prereq:
    - cmd: s7
  - onfail_all:
    - cmd: s6
  - mode: 45
