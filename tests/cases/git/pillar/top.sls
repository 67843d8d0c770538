base:
  '*': [p]
dev:
  '*': [p]
