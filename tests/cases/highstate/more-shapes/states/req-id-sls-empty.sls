include: [empty]
a: {test.nop: [{require: [{sls: empty}]}]}
