include: [..x]
