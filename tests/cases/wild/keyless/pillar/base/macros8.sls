{%- from 'lib/macros8/map.jinja' import service, family with context %}
macros8:
  {{ service('tundra', 7944) }}
  {{ service('lotus', 4800, tls=True) }}
  {% call service('called-macros8', 4973) %}for {{ grains['host'] }}{% endcall %}
  user: {{ family['user'] }}
