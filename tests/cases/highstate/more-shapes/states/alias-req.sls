q: {test.nop: []}
r: {test.nop: []}
a:
  pkg.installed:
    - require: &r [{test: q}]
b:
  pkg.installed:
    - require: *r
c:
  test.nop:
    - require_in: [{pkg: a}]
