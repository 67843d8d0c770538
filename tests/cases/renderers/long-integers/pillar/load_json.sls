{% load_json as v %}{"a": {{ '9' * 4301 }}}{% endload %}
a: 1
