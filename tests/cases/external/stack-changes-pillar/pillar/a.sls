a: {b: 1, l: [1], gone: 1}
k: 1
