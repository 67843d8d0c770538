two_roots3: {from: default, port: 1}
