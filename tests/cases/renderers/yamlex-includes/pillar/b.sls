#!yamlex
include:
  - c:
      defaults: {x: hello, n: 5, l: [a, b], m: {k: v, j: 'a b'}, d: 2020-01-01, f: 1.5, q: "it's", z: null, b: true}
      key: under
b: 1
