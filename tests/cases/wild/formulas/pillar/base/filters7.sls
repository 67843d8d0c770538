{% set names = ['b-fjord', 'a-basil', 'c-karst'] %}
{% set addresses = ['10.1.2.3', '192.168.0.1/24', 'not one', '::1', '8.8.8.8'] %}
filters7:
  replace: {{ grains['id'] | replace('.', '-') }}
  joined: {{ names | sort | join(', ') }}
  int: {{ '42' | int + 1 }}
  length: {{ names | length }}
  first: {{ (names | sort | list)[0] }}
  wrap: "{{ '::1' | ipwrap }} {{ '10.0.0.1' | ipwrap }}"
  ips: {{ addresses | ipaddr }}
  v4: {{ addresses | ipv4('private') }}
  dquote: {{ 'a "b" \\ c' | yaml_dquote }}
  squote: {{ "it's" | yaml_squote }}
  dict: {{ {'z': 1, 'a': [1, {'k': 'v'}]} | tojson }}
  sorted: {{ {'z': 1, 'a': 2} | json }}
  as_yaml:
    {{ {'z': 1, 'a': 2} | yaml(False) | indent(4) }}
  items: {% for key, value in {'z': 1, 'a': 2} | dictsort %}{{ key }}{{ value }}{% endfor %}

  base64: {{ 'onyx' | base64_encode }} {{ 'aGk=' | base64_decode }}
  upper: {{ 'amber' | upper }} {{ 'ABC' | lower }} {{ 'x y' | title }}
  default: {{ missing | default('fallback') }}
  strftime: {{ '2002/12/25' | strftime('%Y-%m-%d') }}
  unique: {{ ['a', 'a', 'b'] | unique | list }}
  md5: {{ 'amber' | md5 }}
  regex: {{ 'web12' | regex_replace('[0-9]+', 'N') }}
  groups: {{ names | map('length') | list }}
  selected: {{ names | select('match', 'a') | list }}
  encoded: {{ 'colon: and #' | yaml_encode }}
  string: {{ 5 | string ~ 'x' }}
  batch: {{ range(5) | batch(2) | list }}
  attr: {{ [{'n': 2}, {'n': 1}] | sort(attribute='n') | map(attribute='n') | join('<') }}
