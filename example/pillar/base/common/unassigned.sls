# A machine without a tier yet: reachable, and nothing else.
include:
  - common.ssh
unassigned: true
