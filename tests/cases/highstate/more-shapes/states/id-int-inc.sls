include: [id-int]
