# Customer data: every login and every query by hand is written down.
auditd:
  enabled: true
  keep_days: 400
  watch: [/etc/passwd, /etc/sudoers, /var/log/auth.log]
sshd:
  MaxAuthTries: 2
