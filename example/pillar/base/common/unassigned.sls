# A machine that nobody has given a tier yet: reachable, and nothing else.
include:
  - common.ssh
unassigned: true
