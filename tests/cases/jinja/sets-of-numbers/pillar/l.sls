{%- set ports = grains.vms | map(attribute='p') %}
{%- set a = (8080, 443, 80, 22, 6379, 5432) %}{% set b = (5432, 22, 9200, 80, 3306) %}
unique: {{ grains.vms | map(attribute='p') | unique | list }}
printed: {{ grains.ports | map('int') | unique }}
joined: "{{ grains.ports | select | unique | join(' ') }}"
of_tuple: {{ a | unique | list }}
of_range: {{ range(20, 0, -3) | unique | list }}
long: {{ range(4000, 0, -37) | unique | list }}
floats: {{ (2.5, 1.5, 3, 1e10, -1, -2, 0.1) | unique | list }}
of_tuples: {{ (('b' | length, 9), (3, 4), (1, 2), (0.5, (7, 8))) | unique | list | tojson }}
equal: {{ (1, true, 1.0, 0, false) | unique | list }}
empties: {{ (17, '', 9, 1, 33) | unique | list | tojson }}
union: {{ a | union(b) | list }}
intersect: {{ a | intersect(b) | list }}
intersect_back: {{ b | intersect(a) | list }}
intersect_equal: {{ (1, 0) | intersect((true, false, 1)) | list }}
difference: {{ a | difference(b) | list }}
difference_few: {{ range(90, 9, -7) | difference((20, 27)) | list }}
symmetric: {{ a | symmetric_difference(b) | list }}
of_sets: {{ (a | unique).union(b | unique) | list }}
text_gone: {{ (6379, 'x', 22, 443) | intersect((443, 6379, 22)) | list }}
no_text_left: {{ a | difference(('x', 80, 'y')) | list }}
{%- set s = a | unique %}{% do s.add(17) %}{% do s.discard(443) %}{% do s.update([33, 4096, 1]) %}
changed: {{ s | list }}
popped: {{ s.pop() }}
left: {{ s | list }}
methods: {{ s.union((3, 99), [11]) | list }}
minus: {{ s.difference([22, 33]) | list }}
copied: {{ s.copy() | list }}
ordered: {{ (a | unique) == (a | reverse | unique) }}
compared: {{ {64: 'b', 512: 'a', 1.5: 'x'} | compare_dicts({4096: 'c', 64: 'd', 7: 0}) | json }}
sizes: {{ grains.sizes.keys() | map('float') | unique | list }}
{%- load_yaml as loaded %}
- !!set {8080, 443, 80}
- !!set {6379, 22, 5432, 9200, 443, 80}
{%- endload %}
loaded: {{ loaded | map('list') | list }}
shown: {{ loaded }}
{%- load_yaml as deeper %}
a: {b: [!!set {8080, 443, 80, 6379, 22}, {c: !!set {6379, 22, 5432, 9200, 443, 80}}]}
d: !!set {1, 64, 512, 8, 16, 33}
{%- endload %}
{%- load_yaml as alone %}!!set {6379, 22, 5432, 9200, 443, 80}{% endload %}
deeper: {{ [deeper.a.b[0] | list, deeper.a.b[1].c | list, deeper.d | list, alone | list] }}
python: {{ a | unique | python }}
yaml: {{ a | unique | yaml }}
merged: {{ salt['slsutil.merge']({'k': a | unique}, {'l': 1}).k | list }}
batched: {{ a | unique | batch(2) | list }}
