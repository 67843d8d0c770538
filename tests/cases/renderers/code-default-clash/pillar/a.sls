include:
  - m: {defaults: {saltenv: x}}
