st: test.nop
