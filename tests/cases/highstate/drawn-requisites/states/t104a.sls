s1:
  test.run:
  - names:
    - m10
  - order: 3.5
  - prereq:
    - test: s0
  - mode: 0
s4:
  test.run:
  - names:
    - k40:
      - mode: 0
  - mode: 74
include:
- t104b
- t104c
