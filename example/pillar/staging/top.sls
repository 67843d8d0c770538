# The shop in the next release.
staging:
  '*':
    - environment

  'not N@shared':
    - common
    - sites.{{ grains['site'] }}

  'frontend':
    - match: nodegroup
    - mail.catcher

  'web*':
    - web

  'app*':
    - app
    - app.payment
    - app.settings

  'db*':
    - db
    - db.credentials
    - db.shard

  # app1.stg has a local cache.
  'cache* or app1.stg.*':
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
