s8:
  file.run:
  - watch_any:
    - file: s7
    - file: s1
  - enable: 80
  - user: 2
s1:
  file.run:
  - name: n1
  - onchanges_any:
    - cmd: s3
    - cmd: s4
  - mode: 48
s3:
  cmd.run:
  - watch_in:
    - cmd: s5
    - file: s1
  - watch_in:
    - file: s0
    - cmd: s6
  - require:
    - pkg: s2
  - mode: 10
