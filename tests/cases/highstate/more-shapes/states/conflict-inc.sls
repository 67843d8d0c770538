include: [base]
web: {test.nop: []}
