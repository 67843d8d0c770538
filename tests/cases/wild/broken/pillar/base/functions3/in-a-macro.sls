{% from 'lib/functions3.jinja' import number with context %}
functions3_macro: {{ number('x') }}
