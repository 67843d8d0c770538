a:
  user.present:
    - names: [x, y]
b:
  user.present: [{name: x}]
