a:
  user.present:
    - require: [{pkg: {a: b}}, {pkg: [x, y]}]
