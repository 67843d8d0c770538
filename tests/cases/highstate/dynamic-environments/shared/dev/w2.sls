w2: {test.nop: []}
