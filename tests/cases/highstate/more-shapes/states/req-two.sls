a:
  user.present:
    - require: [{a: b, c: d}]
      watch: [{x: y}]
