{% set replica = 'db-replica' in grains['roles'] %}
postgres:
  settings:
    max_connections: 500
{% if replica %}
    hot_standby_feedback: 'on'
    synchronous_commit: 'off'
{% else %}
    synchronous_standby_names: db2
{% endif %}
    maintenance_work_mem: {{ [grains['mem_total'] // 16, 2048] | min }}MB
{% if replica %}
  # The primary's host name, never its address, because the address changes.
  primary_host: db1.ams.teashop.example
{% endif %}
  backup:
    target: backup1.hel.teashop.example:/srv/restic
    hour: 3
