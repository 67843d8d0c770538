before: 1
include:
  - plain:
      defaults: text
