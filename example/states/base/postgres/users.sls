# A replica gets its users from the primary.
{% if 'db-primary' in grains['roles'] %}
include:
  - postgres

{% for name, user in salt['pillar.get']('postgres:users', {}).items() %}
postgres-user-{{ name }}:
  postgres_user.present:
    - name: {{ name }}
    - password: {{ user.password | trim | yaml_dquote }}
    - replication: {{ name == 'replication' }}
    - login: true
    - require:
      - service: postgresql
{% if user.database %}

postgres-database-{{ user.database }}:
  postgres_database.present:
    - name: {{ user.database }}
    - owner: {{ name }}
    - require:
      - postgres_user: postgres-user-{{ name }}
{% endif %}
{% endfor %}
{% endif %}
