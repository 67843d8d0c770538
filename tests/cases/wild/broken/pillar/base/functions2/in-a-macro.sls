{% from 'lib/functions2.jinja' import number with context %}
functions2_macro: {{ number('x') }}
