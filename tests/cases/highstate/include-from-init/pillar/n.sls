include: [d.init]
n: 1
