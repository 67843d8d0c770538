# The Finnish and Swedish shop runs in Helsinki.
nginx:
  vhosts:
    shop:
      server_name: kauppa.teashop.example
      language: [fi, sv, en]
