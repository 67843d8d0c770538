include:
  - mail.aliases
  - mail.dkim

postfix:
  myhostname: {{ grains['id'] }}
  mydomain: {{ grains['domain'] }}
  mynetworks: [127.0.0.0/8, 10.20.0.0/16, 10.30.0.0/16]
  message_size_limit: 26214400
  smtpd_tls_security_level: may
  relay:
    host: smtp.relay.example
    port: 587
    username: teashop
    password: test-only-relay-2vXq9LmT
