{{ saltenv }}:
  '*': [common, sub, inc]
  'web*': [web]
