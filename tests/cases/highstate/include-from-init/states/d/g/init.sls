include: [..e]
g: test.nop
