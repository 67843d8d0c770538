# The shop that customers see.
prod:
  '*':
    - environment

  'not N@shared':
    - common
    - sites.{{ grains['site'] }}

  'web*':
    - web
    - web.cdn

  'N@frontend and G@site:hel':
    - web.nordic

  'app*':
    - app
    - app.payment
    - app.settings

  'db*':
    - db
    - db.credentials
    - db.tuning
    - db.shard

  'cache*':
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
