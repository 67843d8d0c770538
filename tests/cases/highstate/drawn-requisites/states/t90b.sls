s1:
  service.run:
  - order: 10002
  - onfail_in:
    - test: s0
  - onfail_in:
    - test: s0
  - onchanges_in:
    - test: s0
  - mode: 16
  - user: 81
s0:
  test.run:
  - enable: 4
