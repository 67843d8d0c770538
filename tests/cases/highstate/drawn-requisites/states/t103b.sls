s7:
  pkg.run:
  - use_in:
    - cmd: s6
    - test: s8
  - use_in:
    - cmd: s6
  - listen_in:
    - cmd: s6
  - mode: 90
  - enable: 80
s4:
  file.run:
  - prereq_in:
    - cmd: s6
  - watch_in:
    - cmd: s0
  - watch:
    - s5
    - test: s3
s5:
  pkg.run:
  - watch_any:
    - test: s3
  - onfail:
    - test: s3
  - require_any:
    - test: s3
  - enable: 85
  - mode: 39
s6:
  cmd.run:
  - name: n6
  - order: 3.5
  - mode: 92
  - enable: 66
