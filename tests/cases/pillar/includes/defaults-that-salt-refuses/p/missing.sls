before: 1
include:
  - nowhere:
      defaults: text
