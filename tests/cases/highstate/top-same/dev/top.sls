dev:
  '*': [a]
  'm*': [c]
base:
  '*': [b]
  'm1': [c]
prod:
  'm2': [a]
