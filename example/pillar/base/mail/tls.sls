tls:
  certificate: /etc/ssl/certs/{{ grains['id'] }}.pem
  protocols: [TLSv1.2, TLSv1.3]
