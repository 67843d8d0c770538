{% import_yaml 'data/two_roots6.yaml' as data %}
two_roots6_default: {{ data | json }}
