base:
  '*': [c]
  'os:Debian': [{match: grain}, b]
