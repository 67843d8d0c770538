a: {cmd.run: [{prereq: [{cmd: c}, {cmd: b}]}]}
b: {cmd.run: []}
c: {cmd.run: [{order: last}]}
d: {cmd.run: [{prereq: [{cmd: c}]}]}
