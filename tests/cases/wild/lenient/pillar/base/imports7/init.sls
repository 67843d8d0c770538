{% from 'imports7/map.jinja' import merged, more with context %}
{% import_text "data/imports7.txt" as text %}
{% import_yaml 'data/imports7.yaml' as own %}
{% do own.ports.update({'extra': 2142}) %}
{% import_yaml 'data/imports7.yaml' as fresh %}
imports7:
  ports: {{ merged.ports }}
  more: {{ more | tojson }}
  text: {{ text | yaml_encode }}
  users:
  {%- for name, user in merged.users | dictsort %}
    {{ name }}: {{ user | json }}
  {%- endfor %}
  own: {{ own.ports | json }}
  fresh: {{ fresh.ports | json }}
