z: {test.nop: []}
