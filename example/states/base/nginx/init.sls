{% set nginx = pillar['nginx'] %}
include:
  - tls
  - .limits

nginx:
  pkg.installed: []
  service.running:
    - enable: true
    - reload: true
    - require:
      - pkg: nginx
      - sls: tls
    - watch:
      - file: nginx-config

nginx-config:
  file.managed:
    - name: /etc/nginx/nginx.conf
    - source: salt://nginx/files/nginx.conf
    - template: jinja
    - context:
        worker_processes: {{ nginx.worker_processes }}
        worker_connections: {{ nginx.worker_connections }}
        client_max_body_size: {{ nginx.client_max_body_size }}
        server_tokens: {{ nginx.server_tokens | yaml_squote }}
        log_format: {{ nginx.get('log_format', 'combined') }}
        ssl_protocols: {{ salt['pillar.get']('tls:protocols', ['TLSv1.3']) | join(' ') }}
    - require:
      - pkg: nginx
