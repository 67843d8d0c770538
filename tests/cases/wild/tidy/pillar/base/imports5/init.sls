{% from 'imports5/map.jinja' import merged, more with context %}
{% import_text "data/imports5.txt" as text %}
{% import_yaml 'data/imports5.yaml' as own %}
{% do own.ports.update({'extra': 3844}) %}
{% import_yaml 'data/imports5.yaml' as fresh %}
imports5:
  ports: {{ merged.ports }}
  more: {{ more | tojson }}
  text: {{ text | yaml_encode }}
  users:
  {%- for name, user in merged.users | dictsort %}
    {{ name }}: {{ user | json }}
  {%- endfor %}
  own: {{ own.ports | json }}
  fresh: {{ fresh.ports | json }}
