# Customer data: every login and every manual query is logged.
auditd:
  enabled: true
  keep_days: 400
  watch: [/etc/passwd, /etc/sudoers, /var/log/auth.log]
sshd:
  MaxAuthTries: 2
