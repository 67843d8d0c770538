s6:
  test:
  - name: n6
  - mode: 26
  - managed
s9:
  service.run:
  - name: n9
  - order: -1
  - prereq:
    - cmd: s5
  - watch_in:
    - file: s4
    - cmd: s2
  - watch_in:
    - service: s3
  - user: 60
s0:
  test.run:
  - watch:
    - cmd: s5
  - user: 64
s3:
  service.run:
  - require:
    - id: s1
  - use:
    - test: s6
include:
- t33c
- t33b
