{% from 'map.jinja' import postgres, memory with context %}
postgres:
  package: {{ postgres.package }}
  service: {{ postgres.service }}
  data_dir: {{ postgres.data_dir }}
  port: 5432
  role: {{ 'primary' if 'db-primary' in grains['roles'] else 'replica' }}
  settings:
    shared_buffers: {{ memory(25) }}
    effective_cache_size: {{ memory(60) }}
    max_connections: 200
    wal_level: replica
    synchronous_commit: 'on'
  hba:
    - {type: host, database: shop, user: shop, address: 10.20.0.0/16, method: scram-sha-256}
    - {type: host, database: shop, user: shop, address: 10.30.0.0/16, method: scram-sha-256}
    - {type: host, database: all, user: monitor, address: 10.20.6.11/32, method: scram-sha-256}
