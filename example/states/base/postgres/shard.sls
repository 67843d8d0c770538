# A new server gets its shard when it is installed; until then it serves none.
include:
  - postgres

/etc/teashop/shard:
  file.managed:
    - makedirs: true
    - contents: schema={{ salt['pillar.get']('postgres:shard:schema') }}

extend:
  postgresql:
    service:
      - watch:
        - file: /etc/teashop/shard
