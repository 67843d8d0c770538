base:
  '*': [d.s5]
  'G@os:Debian':
    - match: compound
    - d.s4
    - d.s5
    - first
    - held
    - anew
    - under
