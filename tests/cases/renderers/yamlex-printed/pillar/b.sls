{% set d = salt['slsutil.renderer'](string='a: hello\nb: [x, y]\nc: {k: v}\nn: 1', default_renderer='yamlex') %}
a: 'x{{ d.a }}y'
b: '{{ d.b }}'
c: '{{ d.c }}'
d: {{ d | json }}
e: '{{ d.b | join("-") }}'
f: {{ d.n }}
g: '{{ d.a | upper }}'
h: '{{ d.c.k }}'
i: {{ d | yaml }}
j: '{{ d }}'
k: {{ d.c == {'k': 'v'} }} {{ d.a == 'hello' }} {{ d.a is string }} {{ d.c is mapping }} {{ d.b is sequence }}
l: {{ d.keys() | list }}
m: {{ salt['slsutil.merge'](d, {'a': 'x'}) | json }}
