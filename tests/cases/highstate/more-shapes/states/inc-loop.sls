include: [inc-self]
b: {test.nop: []}
