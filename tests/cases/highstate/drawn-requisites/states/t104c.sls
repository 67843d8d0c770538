s0:
  test.run:
  - watch_in:
    - test: s1
  - prereq:
    - test: s4
  - mode: 79
