two_roots6: {from: default, port: 1}
