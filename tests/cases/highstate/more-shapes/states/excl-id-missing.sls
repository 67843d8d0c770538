exclude: [{id: nope}, {sls: 'ba*'}]
include: [base]
x: {test.nop: []}
