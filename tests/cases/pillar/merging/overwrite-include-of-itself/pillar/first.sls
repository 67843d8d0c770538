include: [second]
first: {a: first, n: 1}
both: first
