s4:
  service.run:
  - name: n4
  - names:
    - m40
    - k41:
      - mode: 2
  - prereq:
    - id: s6
    - id: s3
  - onfail_all:
    - test: s3
  - onchanges_any:
    - id: s3
  - user: 97
  - enable: 35
s3:
  test:
  - name: n3
  - onchanges_in:
    - cmd: s7
  - prereq:
    - service: s6
  - require_in:
    - cmd: s9
  - managed
  - user: 88
s8:
  test.run:
  - order: last
s6:
  service:
  - managed
  - onchanges_any:
    - pkg: s0
    - test: s8
  - enable: 96
extend:
  s0:
    pkg:
    - mode: ext
    - new: 1
    - enable: 5
include:
- t111c
- t111b
