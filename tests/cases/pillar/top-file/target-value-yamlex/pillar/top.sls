#!yamlex
base:
  'G@os:Debian': !aggregate
    - match: compound
    - x
  'a1': !aggregate {match: glob}
  'a*': !aggregate z
  '*': !aggregate [x]
  '*': !reset [y]
