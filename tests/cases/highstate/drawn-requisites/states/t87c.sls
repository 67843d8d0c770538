s2:
  file.run:
  - name: n2
  - order: x
  - onchanges:
    - pkg: s9
  - user: 70
s4:
  pkg.run:
  - names:
    - m40
    - m41
    - m42
  - onfail_any:
    - id: s7
