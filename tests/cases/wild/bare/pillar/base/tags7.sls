#!yaml
tags7:
  text: !!str 8080
  number: !!int '42'
  real: !!float 3
  flag: !!bool 'yes'
  nothing: !!null ''
  binary: !!binary aGVsbG8=
  mapping: !!map {a: 1}
  sequence: !!seq [1, 2]
  ordered: !!omap {b: 1, a: 2}
