{% from 'imports6/map.jinja' import merged, more with context %}
{% import_text "data/imports6.txt" as text %}
{% import_yaml 'data/imports6.yaml' as own %}
{% do own.ports.update({'extra': 4571}) %}
{% import_yaml 'data/imports6.yaml' as fresh %}
imports6:
  ports: {{ merged.ports }}
  more: {{ more | tojson }}
  text: {{ text | yaml_encode }}
  users:
  {%- for name, user in merged.users | dictsort %}
    {{ name }}: {{ user | json }}
  {%- endfor %}
  own: {{ own.ports | json }}
  fresh: {{ fresh.ports | json }}
