{% import_yaml 'data/two_roots3.yaml' as data %}
two_roots3_default: {{ data | json }}
