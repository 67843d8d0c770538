include: [.t]
i: 1
