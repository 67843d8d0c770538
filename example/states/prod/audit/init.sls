# Customer data: who read what. Only prod's pillar says what to log.
{% if salt['pillar.get']('auditd:enabled', false) %}
auditd:
  pkg.installed: []
  service.running:
    - enable: true
    - require:
      - pkg: auditd
    - watch:
      - file: /etc/audit/rules.d/teashop.rules

/etc/audit/rules.d/teashop.rules:
  file.managed:
    - contents:
{% for path in pillar['auditd']['watch'] %}
      - -w {{ path }} -p wa
{% endfor %}
    - require:
      - pkg: auditd
{% endif %}
