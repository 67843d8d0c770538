z: {cmd.run: []}
b: {cmd.run: [{onchanges: [{cmd: c}]}]}
c: {cmd.run: [{onfail: [{cmd: b}]}]}
d: {cmd.run: [{require: [{cmd: c}, {cmd: z}]}]}
