include: [.e]
r: test.nop
