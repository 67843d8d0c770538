v2: {test.nop: []}
