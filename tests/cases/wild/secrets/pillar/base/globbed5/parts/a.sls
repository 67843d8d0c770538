globbed5: {a: 1, order: a}
