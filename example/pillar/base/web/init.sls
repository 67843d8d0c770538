# nginx in front of the shop. The virtual host's details differ by environment only in `shop_host`.
include:
  - web.vhost:
      key: nginx
      defaults:
        shop_host: {{ 'shop' if saltenv == 'prod' else 'shop-' ~ saltenv }}.{{ grains['domain'] }}
        upstream_port: 8000
  - web.tls

nginx:
  worker_processes: {{ grains['num_cpus'] }}
  worker_connections: 1024
  client_max_body_size: 8m
  server_tokens: 'off'
  log_format: combined
