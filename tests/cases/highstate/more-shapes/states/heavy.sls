a: {cmd.run: [{require_in: [{cmd: b}]}]}
b: {cmd.run: [{order: 1}]}
c: {cmd.run: [{watch_in: [{cmd: d}]}, {require_in: [{cmd: b}]}]}
d: {cmd.run: []}
