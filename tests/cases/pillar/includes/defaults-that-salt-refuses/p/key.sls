before: 1
include:
  - plain:
      defaults: {1: a}
