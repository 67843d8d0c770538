include: [.e]
d: 1
