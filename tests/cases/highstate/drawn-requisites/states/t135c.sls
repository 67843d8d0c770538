s3:
  pkg.run:
  - names:
    - m30
    - m31
    - m32
  - onchanges:
    - service: s0
  - mode: 13
s4:
  pkg.run: []
s0:
  service.run:
  - require_in:
    - pkg: s3
    - pkg: s1
  - enable: 31
  - mode: 30
