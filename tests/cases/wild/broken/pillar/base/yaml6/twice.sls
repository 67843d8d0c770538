yaml6_twice:
  key: 1
  other: 2
  key: 3
