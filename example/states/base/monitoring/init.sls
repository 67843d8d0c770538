{% set prometheus = pillar['prometheus'] %}
include:
  - .checks

prometheus:
  archive.extracted:
    - name: /opt/prometheus
    - source: https://github.example/prometheus/prometheus-{{ prometheus.version }}.linux-amd64.tar.gz
    - skip_verify: true
  service.running:
    - enable: true
    - require:
      - file: {{ prometheus.storage.path }}
    - watch:
      - archive: prometheus
      - file: /etc/default/prometheus

{{ prometheus.storage.path }}:
  file.directory:
    - makedirs: true

/etc/default/prometheus:
  file.managed:
    - contents: >-
        ARGS="--storage.tsdb.retention.time={{ prometheus.retention }}
        --storage.tsdb.retention.size={{ prometheus.storage.max_bytes }}B
        --web.listen-address={{ prometheus.get('listen', ':9090') }}"

{% set alerts = pillar['alerts'] %}
/etc/alertmanager/alertmanager.yml:
  file.serialize:
    - formatter: yaml
    - makedirs: true
    - show_changes: false
    - dataset:
        route: {receiver: pager}
        receivers:
          - name: pager
            webhook_configs:
              - url: {{ alerts.pager.url }}?token={{ alerts.pager.token }}
            email_configs:
              - to: {{ alerts.mail | join(', ') }}
