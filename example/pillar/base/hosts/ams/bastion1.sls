# The one machine with a public address.
sshd:
  port: 2222
  AllowGroups: [ops, dev]
  ListenAddress: {{ grains['ipv4'] | last }}
