{% import_yaml 'data/people.yaml' as people %}
users:
{% for name, person in people.items() if person.everywhere or person.team == grains['team'] %}
  {{ name }}:
    uid: {{ person.uid }}
    groups: {{ person.groups | tojson }}
    shell: /bin/bash
    ssh_keys:
      - {{ person.key }}
{% endfor %}
