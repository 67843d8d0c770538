# The basis of every machine.
include:
  - .system
  - .packages
  - .users
  - .ssh
  - .ntp
  - .motd
