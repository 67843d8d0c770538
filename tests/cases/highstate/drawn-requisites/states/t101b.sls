s5:
  cmd.run:
  - name: n5
  - names:
    - m50
    - k51:
      - mode: 2
s7:
  file.run:
  - onfail:
    - id: s4
  - onchanges_in:
    - cmd: s5
  - onchanges:
    - cmd: s4
s9:
  pkg.run:
  - name: n9
  - names:
    - m90
    - m91
    - m92
  - order: x
  - onfail_in:
    - cmd: s5
  - user: 51
s6:
  cmd.run:
  - onfail:
    - cmd: s3
  - enable: 50
  - mode: 91
s4:
  cmd.run:
  - order: 5
  - onfail_any:
    - pkg: s2
  - user: 35
  - mode: 75
s0:
  file.run:
  - name: n0
  - watch_any:
    - cmd: s3
  - mode: 97
