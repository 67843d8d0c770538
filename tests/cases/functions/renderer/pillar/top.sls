{% set more = salt['slsutil.renderer'](string='[text, "{{ grains.os }}", path, seen]') %}
base:
  '*': {{ more | tojson }}
  'not G@os:x': [none, broken, twice, path2]
