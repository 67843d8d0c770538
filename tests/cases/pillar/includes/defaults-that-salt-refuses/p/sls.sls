before: 1
include:
  - plain:
      defaults: {sls: a}
