include: [base]
a: {test.nop: [{require: [{sls: req}]}]}
