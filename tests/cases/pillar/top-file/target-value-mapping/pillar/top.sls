base:
  'a1': {match: glob, x: 1}
  'a*': {}
  '*': [y]
