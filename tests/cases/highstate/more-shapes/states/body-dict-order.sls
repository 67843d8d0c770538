a:
  user.present: {uid: 5}
