{% from 'nginx/macros.jinja' import location %}
include:
  - nginx

{% for name, vhost in pillar['nginx']['vhosts'].items() %}
vhost-{{ name }}:
  file.managed:
    - name: /etc/nginx/sites-enabled/{{ name }}.conf
    - contents:
      - 'server {'
{% for listen in vhost.listen %}
      - '  listen {{ listen }};'
{% endfor %}
      - '  server_name {{ vhost.server_name }};'
      - '  add_header Content-Language "{{ vhost.get('language', ['en']) | join(', ') }}";'
{% for path, options in vhost.locations.items() %}
      {{ location(path, options) }}
{% endfor %}
      - '}'
    - require:
      - pkg: nginx
    - listen_in:
      - service: nginx
{% endfor %}

{% for name, upstream in salt['pillar.get']('nginx:upstreams', {}).items() %}
upstream-{{ name }}:
  file.managed:
    - name: /etc/nginx/conf.d/upstream-{{ name }}.conf
    - contents: 'upstream {{ name }} { server 127.0.0.1:{{ upstream.port }}; keepalive {{ upstream.keepalive }}; }'
    - watch_in:
      - service: nginx
{% endfor %}

# Only if the machine also serves the photos.
{% if pillar.photos is defined %}
{{ pillar.photos.root }}:
  file.directory:
    - user: www-data
    - makedirs: true
{% endif %}
