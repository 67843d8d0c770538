exclude:
  - sls: other
