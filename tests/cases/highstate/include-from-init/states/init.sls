include: [.t]
i: test.nop
