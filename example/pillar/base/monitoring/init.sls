prometheus:
  version: 2.53.1
  retention: 45d
  listen: 0.0.0.0:9090
  external_labels:
    site: {{ grains['site'] }}
  # Large enough for the WAL twice.
  storage:
    path: /srv/prometheus
    max_bytes: {{ grains['mem_total'] * 1024 * 1024 * 4 }}

alerts:
  pager:
    url: https://pager.example/v2/enqueue
    token: test-only-pager-Kc41ZrW8
  mail: [platform@teashop.example]
  quiet_hours: ['23:00', '06:00']
