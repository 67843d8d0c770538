{% import_yaml 'data/two_roots2.yaml' as data %}
two_roots2_default: {{ data | json }}
