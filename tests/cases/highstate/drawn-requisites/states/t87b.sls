s8:
  service.run:
  - order: 1
s0:
  service:
  - managed
s7:
  service.run:
  - name: n7
  - onchanges_in:
    - pkg: s4
    - file: s2
  - enable: 48
s5:
  service.run:
  - names:
    - m50
    - k51:
      - mode: 0
  - order: -3
  - enable: 28
exclude:
- id: nope
