# The shop, as the next release will have it.
staging:
  '*':
    - environment

  'not G@tier:shared':
    - common
    - sites.{{ grains['site'] }}

  'frontend':
    - match: nodegroup
    - mail.catcher

  'roles:web':
    - match: grain
    - web

  'roles:app':
    - match: grain
    - app
    - app.payment
    - app.settings

  'G@roles:db and G@os_family:RedHat':
    - db
    - db.credentials
    - db.shard

  'roles:cache':
    - match: grain
    - cache

  'roles:ci':
    - match: grain
    - ci.matrix

  'roles:monitoring':
    - match: grain
    - checks.staging

  '^(web|app)\d+\.':
    - match: pcre
    - app.logging
