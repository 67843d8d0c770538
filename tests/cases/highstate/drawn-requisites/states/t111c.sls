s9:
  cmd.run:
  - name: n9
  - watch_in:
    - file: s2
    - cmd: s7
s7:
  cmd:
  - order: -1
  - managed
  - enable: 50
  - user: 85
s2:
  file.run:
  - names:
    - m20
    - m21
    - k22:
      - mode: 2
  - listen_in:
    - service: s5
  - onchanges:
    - cmd: s9
  - enable: 9
  - mode: 89
