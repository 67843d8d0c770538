of_one: {v: one, w: one}
list: [one]
