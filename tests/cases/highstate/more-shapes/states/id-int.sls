5: {test.nop: []}
