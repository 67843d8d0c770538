w1: {test.nop: []}
