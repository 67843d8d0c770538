base:
  'm*': [a]
  p: [p]
  o: [o]
  n: [n]
