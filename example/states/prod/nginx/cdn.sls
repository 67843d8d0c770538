{% set cdn = salt['pillar.get']('cdn', {}) %}
cdn-token:
  file.managed:
    - name: /etc/{{ cdn.provider }}/token
    - mode: '0600'
    - makedirs: true
    - contents: {{ cdn.api_token }}

# Whoever comes through the network of caches is known by its header.
/etc/nginx/conf.d/cdn.conf:
  file.managed:
    - contents: real_ip_header X-{{ cdn.provider | capitalize }}-Client;
    - require:
      - file: cdn-token
    - watch_in:
      - service: nginx
