s7:
  pkg.run:
  - onfail_all:
    - id: s1
  - watch_in:
    - service: s3
  - require_in:
    - test: s8
  - mode: 8
s8:
  test.run:
  - onfail_any:
    - file: s4
  - user: 0
  - enable: 69
s4:
  file.run:
  - names:
    - m40
  - onfail_in:
    - test: s0
  - onchanges_any:
    - service: s1
  - enable: 60
s5:
  cmd:
  - name: n5
  - use_in:
    - file: s4
  - managed
s1:
  service.run:
  - names:
    - m10
    - m11
    - m12
  - order: 5
  - watch_any:
    - cmd: s5
  - onfail_any:
    - s5
    - id: s6
  - onchanges_any:
    - cmd: s5
  - mode: 33
  - enable: 20
