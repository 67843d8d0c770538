include:
  - base: base
  - nope: base
  - base
