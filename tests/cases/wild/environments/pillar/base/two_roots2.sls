two_roots2: {from: default, port: 1}
