base:
  '*': [deep.x]
