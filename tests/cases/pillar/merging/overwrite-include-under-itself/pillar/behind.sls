include:
  - other
  - behind: {key: p}
p: {a: 1}
x: 1
