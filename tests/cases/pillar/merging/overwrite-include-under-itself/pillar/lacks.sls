include:
  - lacks: {key: p}
x: 1
