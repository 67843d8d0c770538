a:
  user.present: [a b]
