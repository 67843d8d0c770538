a:
  user.present:
    - names: []
    - uid: 9
