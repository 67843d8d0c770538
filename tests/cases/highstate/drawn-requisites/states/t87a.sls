s3:
  file:
  - name: n3
  - names:
    - m30
    - k31:
      - mode: 7
    - m32
  - onchanges:
    - cmd: s1
  - managed
s9:
  pkg.run:
  - names:
    - m90
    - m91
    - m92
  - require_any:
    - service: s0
    - id: s8
  - user: 30
s6:
  service.run:
  - names:
    - k60:
      - mode: 8
  - onchanges:
    - cmd: s1
s1:
  cmd.run:
  - order: 20000
  - watch_in:
    - file: s3
  - watch_any:
    - id: s8
  - mode: 0
include:
- t87c
- t87b
