before: 1
include:
  - seen:
      defaults: {grains: a}
