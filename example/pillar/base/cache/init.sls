{% from 'map.jinja' import memory with context %}
redis:
  bind: [127.0.0.1, {{ grains['ipv4'] | last }}]
  port: 6379
  maxmemory: {{ memory(70) }}
  maxmemory_policy: allkeys-lru
  appendonly: no
  save: []
  databases: 4
  password: test-only-redis-9bGf6JvA
