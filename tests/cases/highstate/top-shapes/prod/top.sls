prod:
  '*': a
  'm2': [sub, 5]
