before: 1
include:
  - plain:
      defaults: 5
