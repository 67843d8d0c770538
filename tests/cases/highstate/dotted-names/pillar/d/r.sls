include: [.e]
r: 1
