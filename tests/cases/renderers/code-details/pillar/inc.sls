include:
  - d:
      defaults: {v: 7}
  - mkd:
      defaults: {v: 8}
