a: {test.nop: [{require: [{test.nop: b}]}]}
b: {test.nop: []}
