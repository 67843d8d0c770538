before: 1
include:
  - seen:
      defaults: {_pillar_rend: a}
