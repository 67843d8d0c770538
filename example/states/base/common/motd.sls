{% if salt['pillar.get']('system:motd:enabled', false) %}
/etc/motd:
  file.managed:
    - contents: |
        {{ pillar['system']['motd']['text'] | indent(8) }}
    - order: last
{% endif %}
