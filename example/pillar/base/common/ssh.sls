sshd:
  port: 22
  PermitRootLogin: no
  PasswordAuthentication: no
  AllowGroups: [ops]
  MaxAuthTries: 3
