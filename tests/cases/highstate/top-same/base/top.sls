include: [extra*]
base:
  '*': [a, {dev: c}]
  'm1': [b]
dev:
  'm*':
    - match: glob
    - b
