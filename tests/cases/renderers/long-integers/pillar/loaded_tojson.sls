{% load_yaml as v %}
a: 0x{{ 'f' * 3600 }}
{% endload %}
a: {{ v | tojson }}
