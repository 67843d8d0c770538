exclude: [{a: b, c: d}, {id: a}, 5]
a: {test.nop: []}
b: {test.nop: []}
