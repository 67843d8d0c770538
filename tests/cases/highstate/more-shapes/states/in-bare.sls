a: {test.nop: [{require_in: [b, dname, nothing]}]}
b: {test.nop: []}
d: {cmd.run: [{name: dname}]}
