# Also serves the photos until the new store is ready.
nginx:
  client_max_body_size: 64m
  worker_connections: 4096
photos:
  root: /srv/photos
  formats: [webp, jpeg]
