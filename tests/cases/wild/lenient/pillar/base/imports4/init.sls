{% from 'imports4/map.jinja' import merged, more with context %}
{% import_text "data/imports4.txt" as text %}
{% import_yaml 'data/imports4.yaml' as own %}
{% do own.ports.update({'extra': 4031}) %}
{% import_yaml 'data/imports4.yaml' as fresh %}
imports4:
  ports: {{ merged.ports }}
  more: {{ more | tojson }}
  text: {{ text | yaml_encode }}
  users:
  {%- for name, user in merged.users | dictsort %}
    {{ name }}: {{ user | json }}
  {%- endfor %}
  own: {{ own.ports | json }}
  fresh: {{ fresh.ports | json }}
