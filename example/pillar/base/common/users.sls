# Accounts come from people.yaml: people in it with access here get one.
{% import_yaml 'common/people.yaml' as people %}
{% from 'map.jinja' import account %}
users:
{% for name, person in people.items() if '*' in person.access or person.access | intersect(grains['roles']) %}
  {{ account(name, person) | indent(2) }}
{% endfor %}
  # Deployments log in with this account; the hash is that of the emergency password.
  deploy:
    uid: 1900
    shell: /bin/sh
    groups: [deploy]
    password: $6$teashop$test.only.9vQdVbEoXn0pYq1mJxk7cWbR3sUeFhG5tLzAaKiD2yMwNrPo8
