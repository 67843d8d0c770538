include: [d.g, d.init]
n: test.nop
