a:
  user.present: [5, [x], ~]
