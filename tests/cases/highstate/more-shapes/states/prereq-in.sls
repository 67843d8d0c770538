a: {cmd.run: [{prereq_in: [{cmd: b}, {cmd: c}]}]}
b: {cmd.run: []}
c: {cmd.run: []}
