s6:
  cmd.run:
  - names:
    - m60
  - listen_in:
    - pkg: s8
  - listen:
    - service: s2
  - onchanges_in:
    - pkg: s5
  - mode: 50
s9:
  service.run:
  - name: n9
  - listen_in:
    - test: s1
    - pkg: s8
s7:
  cmd.run:
  - name: n7
  - names:
    - k70:
      - mode: 2
  - mode: 6
  - user: 59
s0:
  test.run:
  - onchanges_in:
    - file: s4
  - user: 75
extend:
  s1:
    test:
    - mode: ext
    - new: 1
    - enable: 5
include:
- t23b
- t23c
