include: [..t, .u]
s: test.nop
