# The shop in the next release. app1.stg has a local cache, as its grains say.
staging:
  'web*':
    - common
    - nginx
    - nginx.vhosts

  'app*':
    - common
    - app
    - app.worker
