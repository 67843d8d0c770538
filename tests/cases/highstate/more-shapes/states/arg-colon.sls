a:
  user.present:
