#!yamlex
include:
  - c2:
      defaults: {x: hello, n: 5, l: [a, b], m: {k: v, j: 'a b'}}
      key: under3
