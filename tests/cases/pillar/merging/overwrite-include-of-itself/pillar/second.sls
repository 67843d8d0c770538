include: [first]
second: {a: second}
both: second
