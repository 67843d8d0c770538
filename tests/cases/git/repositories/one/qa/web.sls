{% import_yaml 'shared/data.yml' as d %}
web: {{ d }}
