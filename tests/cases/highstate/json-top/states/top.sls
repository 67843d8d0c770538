#!json
base:
  "*": [a]
