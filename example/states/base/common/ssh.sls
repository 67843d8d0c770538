{% from 'common/map.jinja' import ssh with context %}
sshd:
  pkg.installed:
    - name: {{ ssh.package }}
  service.running:
    - name: {{ ssh.service }}
    - enable: true
    - require:
      - pkg: sshd
    - watch:
      - file: /etc/ssh/sshd_config.d/50-salt.conf

/etc/ssh/sshd_config.d/50-salt.conf:
  file.managed:
    - mode: '0600'
    - check_cmd: sshd -t -f
    - contents:
{% for option, value in pillar['sshd'].items() %}
{% if value is sameas true or value is sameas false %}
      - '{{ option }} {{ 'yes' if value else 'no' }}'
{% elif value is string or value is number %}
      - '{{ option }} {{ value }}'
{% else %}
      - '{{ option }} {{ value | join(' ') }}'
{% endif %}
{% endfor %}
    - require:
      - pkg: sshd
