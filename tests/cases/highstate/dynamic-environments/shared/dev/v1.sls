v1: {test.nop: []}
