# The shop that customers see.
prod:
  '*':
    - environment

  'not G@tier:shared':
    - common
    - sites.{{ grains['site'] }}

  'roles:web':
    - match: grain
    - web
    - web.cdn

  'N@frontend and G@site:hel':
    - web.nordic

  'roles:app':
    - match: grain
    - app
    - app.payment
    - app.settings

  'G@roles:db and G@os_family:RedHat':
    - db
    - db.credentials
    - db.tuning
    - db.shard

  'roles:cache':
    - match: grain
    - cache
    - cache.eviction

  'roles:monitoring':
    - match: grain
    - checks.prod

  '^(web|app)\d+\.':
    - match: pcre
    - app.logging

  'N@customer-data':
    - audit

  '{{ grains["id"] }}':
    - ignore_missing: true
    - hosts.{{ grains['site'] }}.{{ grains['host'] }}
