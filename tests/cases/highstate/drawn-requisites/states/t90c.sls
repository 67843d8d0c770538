s2:
  service.run:
  - order: 20000
  - onchanges_in:
    - test: s0
    - service: s1
  - prereq:
    - cmd: s4
s3:
  pkg.run:
  - onfail_in:
    - test: s0
