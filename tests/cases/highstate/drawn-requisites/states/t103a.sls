s2:
  pkg.run:
  - name: n2
  - order: last
  - watch_in:
    - service: s1
  - use_in:
    - cmd: s0
    - service: s1
  - onfail:
    - test: s3
s8:
  test.run:
  - onchanges_any:
    - id: s4
  - enable: 72
s0:
  cmd.run:
  - name: n0
  - order: x
  - prereq_in:
    - cmd: s6
  - enable: 32
  - mode: 86
s1:
  service.run:
  - onchanges:
    - cmd: s0
  - onfail_any:
    - id: s3
    - s2
  - mode: 77
include:
- t103c
- t103b
