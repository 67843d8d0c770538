include: [.u, ..t]
s: 1
