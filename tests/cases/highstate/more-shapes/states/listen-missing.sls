a: {cmd.run: [{listen: [{cmd: nope}]}, {listen_in: [{cmd: nope2}]}]}
