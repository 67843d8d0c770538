{% set redis = salt['grains.filter_by']({
  'Debian': {'package': 'redis-server', 'service': 'redis-server', 'config': '/etc/redis/redis.conf'},
  'RedHat': {'package': 'redis', 'service': 'redis', 'config': '/etc/redis.conf'},
}, merge=salt['pillar.get']('redis')) %}
redis:
  pkg.installed:
    - name: {{ redis.package }}
  file.managed:
    - name: {{ redis.config }}
    - mode: '0640'
    - contents:
      - bind {{ redis.bind | join(' ') }}
      - port {{ redis.port }}
      - maxmemory {{ redis.maxmemory }}
      - maxmemory-policy {{ redis.maxmemory_policy }}
      - maxmemory-samples {{ salt['pillar.get']('cache:eviction:samples', 5) }}
      - databases {{ redis.databases }}
      - requirepass {{ redis.password }}
    - require:
      - pkg: redis
  service.running:
    - name: {{ redis.service }}
    - enable: true
    - watch:
      - file: redis
