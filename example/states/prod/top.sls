# The shop that customers see.
prod:
  'web*':
    - common
    - nginx
    - nginx.vhosts
    - nginx.cdn

  'app*':
    - common
    - app
    - app.worker
    - audit
