x: {{ x }}
x2: "{{ x | replace('\"', '%') }}"
x3: {{ x | upper }}
x4: {{ (x ~ 'y') | json }}
x5: '{{ x }}'
x6: {{ x | json }}
x7: {{ x | yaml }}
x8: {{ x | yaml_dquote }}
x9: {{ 'hello' == x }}
x10: {{ x | length }}
x11: {{ l | join(',') | json }}
x12: {{ l }}
x13: {{ m }}
x13b: '{{ m }} {{ l }}'
x14: {{ "%s" % x | json }}
x15: {{ "{}".format(x) | json }}
q: {{ q }}
q2: '{{ q | replace("'", "`") }}'
d: {{ d }}
n: {{ n }}{{ z }}{{ b }}
e: {{ m | json }}{# x #}
f: {{ m | yaml }}
g: {{ m.k }}
h: '{{ m.items() | list | string | replace("'", "`") }}'
i: {{ l | tojson }}
j: {% for i in l %}{{ i }}{% endfor %}
k: {{ {'a': x, 'b': l} }}
l: {{ [x, 1] }}
