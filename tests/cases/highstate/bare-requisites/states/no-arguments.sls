third:
  test.nop:
