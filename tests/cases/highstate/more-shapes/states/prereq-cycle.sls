a: {cmd.run: [{prereq: [{cmd: b}]}]}
b: {cmd.run: [{prereq: [{cmd: a}]}]}
