include: [base]
exclude: [base]
a: {test.nop: []}
