include: [.e]
d: test.nop
