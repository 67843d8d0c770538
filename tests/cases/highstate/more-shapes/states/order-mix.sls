a: {test.nop: [{order: 1.5}]}
b: {test.nop: [{order: last}]}
c: {test.nop: [{order: -5}]}
d: {test.nop: [{order: 20000}, {names: [p, q]}]}
e: {test.nop: [{order: last}]}
f: {test.nop: [{require: [{test: b}]}, {order: first}]}
g: {test.nop: [{order: true}]}
h: {test.nop: [{order: -1}, {names: [q1,q2]}]}
