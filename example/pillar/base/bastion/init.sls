bastion:
  allow_from: [0.0.0.0/0]
  session_recording: yes
  idle_timeout: 900
  forward_to:
{% for net in ['10.20.0.0/16', '10.30.0.0/16'] %}
    - {{ net }}
{% endfor %}
  two_factor:
    provider: totp
    issuer: teashop {{ grains['site'] }}
fail2ban:
  maxretry: 3
  bantime: 1h
  ignoreip: [127.0.0.1/8, 10.0.0.0/8]
