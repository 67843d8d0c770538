{% import 'missing1/deep.jinja' as deep %}
missing1_deep: {{ deep.x }}
