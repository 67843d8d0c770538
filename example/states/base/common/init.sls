# The ground that every machine stands on.
include:
  - .system
  - .packages
  - .users
  - .ssh
  - .ntp
  - .motd
