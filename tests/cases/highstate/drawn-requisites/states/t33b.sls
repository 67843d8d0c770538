s2:
  cmd.run:
  - name: n2
  - order: 10002
  - require_in:
    - test: s8
