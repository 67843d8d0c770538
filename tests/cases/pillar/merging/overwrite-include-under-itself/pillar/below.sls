include:
  - below: {key: "p:q"}
p: text
x: 1
