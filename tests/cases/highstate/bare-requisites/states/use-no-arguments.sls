second:
  test.nop:
    - use:
      - test.nop: third
third:
  test.nop:
