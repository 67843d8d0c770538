globbed5: {b: 1, order: b}
