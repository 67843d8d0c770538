s0:
  service.run:
  - names:
    - m00
    - m01
  - use_in:
    - cmd: s6
s3:
  service.run:
  - names:
    - m30
    - m31
  - order: first
  - listen_in:
    - service: s1
  - watch_in:
    - pkg: s5
    - service: s1
  - onchanges:
    - file: s8
