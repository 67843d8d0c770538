cdn:
  provider: leafcast
  zone: teashop
  purge_on_deploy: true
  origins:
    - web1.ams.teashop.example
    - web2.ams.teashop.example
    - web1.hel.teashop.example
  api_token: test-only-leafcast-Q8sJr2Mh
nginx:
  client_max_body_size: 16m
