{% set limits = salt['pillar.get']('limits', {}) %}
/etc/nginx/conf.d/limits.conf:
  file.managed:
    - contents:
      - limit_req_zone $binary_remote_addr zone=all:10m rate={{ limits.requests_per_second }}r/s;
{% for path, limit in limits.get('paths', {}).items() %}
      - limit_req_zone $binary_remote_addr zone={{ path | replace('/', '') }}:10m rate={{ limit.requests_per_second }}r/s;
{% endfor %}
    - watch_in:
      - service: nginx
