a:
  user.present:
    - names:
      - x: [{uid: 1}, {name: y}]
      - x
      - x
      - 5
    - uid: 9
