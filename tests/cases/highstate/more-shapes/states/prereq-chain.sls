a: {cmd.run: [{prereq: [{cmd: b}]}]}
b: {cmd.run: [{prereq: [{cmd: c}]}, {require: [{cmd: d}]}]}
c: {cmd.run: [{require: [{cmd: e}]}]}
d: {cmd.run: []}
e: {cmd.run: []}
f: {cmd.run: [{watch: [{cmd: c}]}]}
