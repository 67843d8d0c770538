sudo:
  pkg.installed: []

{% for group, rule in salt['pillar.get']('sudo:rules', {}).items() %}
/etc/sudoers.d/{{ group }}:
  file.managed:
    - mode: '0440'
    - check_cmd: visudo -c -f
    - contents: '%{{ group }} {{ rule }}'
    - require:
      - pkg: sudo
{% endfor %}

/etc/sudoers.d/00-defaults:
  file.managed:
    - contents:
      - Defaults timestamp_timeout={{ salt['pillar.get']('sudo:timestamp_timeout', 15) }}
      - Defaults passwd_tries={{ salt['pillar.get']('sudo:passwd_tries', 3) }}
    - use:
      - file: /etc/sudoers.d/wheel
    - require:
      - pkg: sudo
