# The rest is in a submodule.
{% from 'private/missing1.jinja' import secrets %}
missing1_imports: {{ secrets }}
