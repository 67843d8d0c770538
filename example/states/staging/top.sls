# The shop as the next release will have it. app1.stg has its cache on board, as its grains say.
staging:
  'web*':
    - common
    - nginx
    - nginx.vhosts

  'app*':
    - common
    - app
    - app.worker
