include:
  - has: {key: p}
p: {}
x: 1
