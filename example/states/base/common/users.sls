{% from 'common/accounts.jinja' import account %}
{% set users = pillar.get('users', {}) %}
{% for group in users.values() | map(attribute='groups') | sum(start=[]) | unique | sort %}
group-{{ group }}:
  group.present:
    - name: {{ group }}
    - system: true
{% endfor %}

{% for name, user in users.items() %}
{{ account(name, user) }}
{% endfor %}
