{% set postgres = pillar['postgres'] %}
postgresql:
  pkg.installed:
    - name: {{ postgres.package }}
  service.running:
    - name: {{ postgres.service }}
    - enable: true
    - require:
      - pkg: postgresql

postgresql-conf:
  file.managed:
    - name: {{ postgres.data_dir }}/conf.d/salt.conf
    - user: postgres
    - contents:
      - port = {{ postgres.port }}
{% for setting, value in postgres.settings.items() %}
      - {{ setting }} = '{{ value }}'
{% endfor %}
{% if postgres.role == 'replica' %}
{% set login = 'user=replication password=' ~ postgres.users.replication.password %}
      - {{ ("primary_conninfo = 'host=" ~ postgres.primary_host ~ ' ' ~ login ~ "'") | yaml_dquote }}
{% endif %}
    - require:
      - pkg: postgresql
    - watch_in:
      - service: postgresql

postgresql-hba:
  file.managed:
    - name: {{ postgres.data_dir }}/pg_hba.conf
    - user: postgres
    - mode: '0600'
    - contents:
      - local all postgres peer
{% for line in postgres.hba %}
      - {{ line.type }} {{ line.database }} {{ line.user }} {{ line.address }} {{ line.method }}
{% endfor %}
    - require:
      - pkg: postgresql

# hba changes need no restart.
postgresql-reload:
  cmd.run:
    - name: systemctl reload {{ postgres.service }}
    - onchanges:
      - file: postgresql-hba

vm.overcommit_memory:
  sysctl.present:
    - value: 2

{% if postgres.backup is defined %}
postgresql-dump:
  cron.present:
    - name: pg_dumpall | ssh {{ postgres.backup.target.split(':') | first }} restic backup --stdin
    - user: postgres
    - hour: {{ postgres.backup.hour }}
    - minute: 0
{% endif %}
