{% set cdn = salt['pillar.get']('cdn', {}) %}
cdn-token:
  file.managed:
    - name: /etc/{{ cdn.provider }}/token
    - mode: '0600'
    - makedirs: true
    - contents: {{ cdn.api_token }}

# Requests through the CDN have this header.
/etc/nginx/conf.d/cdn.conf:
  file.managed:
    - contents: real_ip_header X-{{ cdn.provider | capitalize }}-Client;
    - require:
      - file: cdn-token
    - watch_in:
      - service: nginx
