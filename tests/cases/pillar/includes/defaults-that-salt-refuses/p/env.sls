before: 1
include:
  - seen:
      defaults: {env: a, input_data: b, own: c}
