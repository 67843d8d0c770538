a:
  user.present: ~
