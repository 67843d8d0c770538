# The basis of every machine.
include:
  - .ntp
  - .ssh
  - .users
  # The formula reads its banner under `system`.
  - common.motd:
      key: system:motd

system:
  locale: {{ grains['locale'] }}
  timezone: {{ grains['timezone'] }}
  hostname: {{ grains['host'] }}
  resolver:
    # A site's own resolvers replace this list, see sites/.
    nameservers: [9.9.9.9, 149.112.112.112]
    search:
      - {{ grains['domain'] }}

packages:
  wanted: [curl, htop, jq, rsync, tmux]
  unwanted: [telnet, rsh-client]
