a: {test.nop: [{require: [{test: ~}]}]}
