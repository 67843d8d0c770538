a:
  user.present: [{name: x}, {name: y}, {fun: oops}, {state: z}]
