two_roots3: {from: local}
