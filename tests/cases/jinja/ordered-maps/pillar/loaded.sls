{% load_yaml as v %}
k: !!omap {z: 1, b: 2}
{% endload %}
{% import_yaml 'm.yaml' as m %}
tag: {{ v | json }}
filter: {{ '[!!omap {z: 1}]' | load_yaml }}
file: {{ m }}
