base:
  '*': [nope]
