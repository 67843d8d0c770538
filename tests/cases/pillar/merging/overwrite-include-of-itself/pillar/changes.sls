include: [one]
of_one: {v: changed}
list: [changed]
