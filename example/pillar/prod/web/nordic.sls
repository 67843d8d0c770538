# The Finnish and Swedish shop is served from Helsinki.
nginx:
  vhosts:
    shop:
      server_name: kauppa.teashop.example
      language: [fi, sv, en]
