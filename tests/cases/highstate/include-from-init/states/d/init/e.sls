e2: test.nop
