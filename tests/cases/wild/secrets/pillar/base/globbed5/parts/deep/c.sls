globbed5: {c: 1, order: c}
