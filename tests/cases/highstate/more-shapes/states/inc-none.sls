include: []
a: {test.nop: []}
