{% load_yaml as v %}
a: 0x{{ 'f' * 3600 }}
{% endload %}
a: {{ pillar.get(v.a, 'none') }}
b: {{ grains[v.a] is defined }}
