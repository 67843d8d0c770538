a: {pkg.installed: [{aggregate: true}]}
b: {cmd.run: []}
c: {pkg.installed: [{aggregate: true}, {require: [{cmd: b}]}]}
