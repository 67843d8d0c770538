#!jinja|yaml
{#- A comment {{ not.looked.at }} -#}
{% set ns = namespace(total=0, names=[]) %}
{% for port in range(10, 20) -%}
  {%- if port == 12 %}{% continue %}{% endif -%}
  {%- if port > 16 %}{% break %}{% endif -%}
  {%- set ns.total = ns.total + port -%}
  {%- do ns.names.append('p' ~ port) -%}
{%- endfor %}
{% set block %}
  from_block: {{ ns.names | join('+') }}
{% endset %}
tags9:
  total: {{ ns.total }}
  {{ block | trim }}
  raw: '{% raw %}{{ not.rendered }} {% nor this %}{% endraw %}'
  {%- filter indent(2) %}
filtered: {{ ns.names | first | upper }}
  {%- endfilter %}
  {%- for key, values in {'a': [1, 2], 'b': []}.items() recursive %}
  {{ key }}:
    {%- for value in values %}
    - {{ value }}
    {%- else %} none
    {%- endfor %}
  {%- endfor %}
  {%- with %}
  {%- set inner = 'scoped' %}
  within: {{ inner }}
  {%- endwith %}
  {% if grains.get('roles') is iterable and grains.id is string and nothing is not defined -%}
  tests: {{ {} is mapping }}-{{ none is none }}
  {%- elif false %}
  tests: never
  {%- else %}
  tests: no
  {%- endif %}
