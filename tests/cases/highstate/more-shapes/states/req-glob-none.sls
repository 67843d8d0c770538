a: {test.nop: [{require: [{test: 'zz*'}]}]}
