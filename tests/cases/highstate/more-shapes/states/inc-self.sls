include: [inc-self, inc-loop]
a: {test.nop: []}
