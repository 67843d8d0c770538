two_roots2: {from: local}
