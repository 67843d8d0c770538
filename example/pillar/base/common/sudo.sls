# Machines that people log in to: who may become root, and how often they are asked.
sudo:
  timestamp_timeout: 5
  lecture: always
  rules:
    wheel: 'ALL=(ALL) ALL'
    ops: 'ALL=(root) /usr/bin/systemctl, /usr/bin/journalctl'
