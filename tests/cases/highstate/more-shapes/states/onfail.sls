a: {cmd.run: [{onfail_any: [{cmd: b}, {cmd: c}]}, {onchanges_any: [{cmd: c}]}]}
b: {cmd.run: [{order: last}]}
c: {cmd.run: []}
