# Included with `key: nginx` and defaults: {shop_host, upstream_port}.
vhosts:
  shop:
    server_name: {{ shop_host }}
    listen: [443 ssl, '[::]:443 ssl']
    redirect_http: true
    locations:
      /:
        proxy_pass: http://app
      /static/:
        root: /srv/shop/static
        expires: 7d
upstreams:
  app:
    port: {{ upstream_port }}
    keepalive: 32
