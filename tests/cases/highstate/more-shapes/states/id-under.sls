__x: {test.nop: []}
a: {_foo.bar: [], test.nop: []}
