before: 1
include:
  - seen:
      defaults: {tmplsrc: a}
