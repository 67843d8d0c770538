a: {test.nop: [{require_in: [{test: b}, {test: c}, {cmd: d}]}]}
b: {test.nop: []}
c: {test.nop: []}
d: {cmd.run: []}
