base:
  '*': [b, {dev: ignored}]
dev:
  '*': [d, 'w*']
nope:
  'fails': [zz]
'2020':
  '*': [c]
