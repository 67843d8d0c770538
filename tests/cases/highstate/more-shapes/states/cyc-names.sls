a: {cmd.run: [{names: [x, y]}, {require: [{cmd: b}]}]}
b: {cmd.run: [{name: bb}, {watch: [{cmd: y}]}]}
