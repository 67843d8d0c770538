{% import_json 'decimal.json' as v %}
a: {{ v | length }}
