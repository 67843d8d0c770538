{% import_yaml 'hex.yaml' as v %}
a: {{ v | length }}
