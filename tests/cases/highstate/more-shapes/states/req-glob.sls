a: {test.nop: [{require: [{test: 'b*'}, {sls: 'ba*'}]}]}
b1: {test.nop: []}
b2: {test.nop: []}
include: [base]
