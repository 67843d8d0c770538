before: 1
include:
  - blank:
      defaults: {renderers: a}
