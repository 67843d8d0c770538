a: {test.nop: [{require: [{sls: 'zz*'}]}]}
