# Web and app servers have an environment and use its top file; all other minions are here.
base:
  'not web* and not app*':
    - match: compound
    - common

  'roles:db':
    - match: grain
    - postgres
    - postgres.users
    - postgres.shard

  'cache*':
    - redis

  'mail*':
    - mail

  'mon*':
    - monitoring

  'G@roles:bastion or G@roles:ci':
    - match: compound
    - common.sudo

  'roles:bastion':
    - match: grain
    - bastion

  'roles:ci':
    - match: grain
    - ci

  'backup*':
    - backup
