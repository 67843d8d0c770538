s2:
  pkg.run:
  - order: 5
  - require:
    - file: s5
  - mode: 84
  - enable: 78
