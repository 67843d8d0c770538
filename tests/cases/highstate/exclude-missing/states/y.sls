s2:
  test.nop
