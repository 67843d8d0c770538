two_roots6: {from: local}
