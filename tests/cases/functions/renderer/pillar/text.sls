{% set render = salt['slsutil.renderer'] %}
yaml: {{ render(string='a: {{ grains.id }}') }}
pipe: {{ render(string='#!yaml\na: "{{ 1 }}"') | tojson }}
json: {{ render(string='{"b": 1, "a": [true, null]}', default_renderer='json') | tojson }}
jinja: {{ render(string='x {{ 1 + 1 }} y', default_renderer='jinja') | tojson }}
list: {{ render(string='- a') }}
scalar: {{ render(string='012') }}
variables: {{ render(string='{{ a }} {{ b.c }}', default_renderer='jinja', a=1, b={'c': 2}) | tojson }}
context: {{ render(string='{{ a }} {{ b }}', default_renderer='jinja', context={'a': 1, 'b': 2}, b=3) | tojson }}
sls: {{ render(string='{{ sls }} {{ saltenv }} {{ tplfile }} {{ tpldir }}', default_renderer='jinja', sls='a.b', saltenv='dev') | tojson }}
import: {{ render(string='{% import_yaml "f/data.yml" as d %}{{ d.a }}', default_renderer='jinja') | tojson }}
merged: {{ salt['slsutil.merge'](render(string='{a: {b: 1}}'), {'a': {'c': 2}}) | tojson }}
functions: {{ render(string="{{ salt['grains.get']('os') }} {{ salt.slsutil.renderer(string='b: 1').b }}", default_renderer='jinja') | tojson }}
dates: {{ render(string='{a: 2020-01-31, b: yes, c: 0x10}') | tojson }}
