include: [d..e, /t]
i: test.nop
