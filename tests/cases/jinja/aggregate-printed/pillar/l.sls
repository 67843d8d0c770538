b7: "{{ salt['slsutil.merge']({'a': [1]}, {'a': [2], 'b': {'k': 'v w'}}, strategy='aggregate') ~ '' }}"
b8: '{{ [salt['slsutil.merge']({'a': 'x'}, {'a': 'y'}, strategy='aggregate')] | string | replace("'", '~') }}'
b9: "{{ salt['slsutil.merge']({1: 2}, {'b': none, 'd': '2020-01-31', 'e': 'x: y', 'f': 1.0, 'g': true}, strategy='aggregate') | string | replace('"', '~') }}"
e2: "{{ salt['slsutil.merge']([1], [2], strategy='aggregate') | string | tojson | replace('"', '~') }}"
e3: "{{ salt['slsutil.merge']({'a': {'b': {'c': [1]}}}, {'a': {'b': {'d': 1}}}, strategy='aggregate') | string | tojson | replace('"', '~') }}"
e4: "{{ salt['slsutil.merge']({'a': [1]}, {'a': [2]}, strategy='aggregate') | yaml | replace('"', '~') }}"
e5: "{{ salt['slsutil.merge']({'a': [1]}, {'a': [2]}, strategy='aggregate') | json | replace('"', '~') }}"
e6: "{{ salt['slsutil.merge']({'a': [1]}, {'a': [2]}, strategy='aggregate') | python | replace('"', '~') }}"
e7: "{{ salt['slsutil.merge']({'a': [1]}, {'b': [2]}, strategy='aggregate') | tojson | replace('"', '~') }}"
e8: "{{ {'x': salt['slsutil.merge']({'a': [1]}, {'b': [2]}, strategy='aggregate')} | string }}"
e9: "{{ {'x': salt['slsutil.merge']({'a': [1]}, {'b': [2]}, strategy='aggregate')} }}"
g1: {{ salt['slsutil.merge']({'a': [1]}, {'a': [2]}, strategy='aggregate') is mapping }}
g2: {{ salt['slsutil.merge']({'b': [1]}, {'a': [2]}, strategy='aggregate') == {'b': [1], 'a': [2]} }}
g3: {{ salt['slsutil.merge']({'b': [1]}, {'a': [2]}, strategy='aggregate').keys() | list }}
g4: "{{ salt['slsutil.merge']({'b': [1]}, {'a': [2]}, strategy='aggregate').items() | list | string }}"
g5: "{{ salt['slsutil.merge'](odict([('b', {'x': 1})]), {'a': [2]}, strategy='aggregate') | string | replace('"', '~') }}"
g6: "{{ salt['slsutil.merge_all']([{'b': 1}, {'a': [2]}, {'b': {'c': 1}}], strategy='aggregate') | string | replace('"', '~') }}"
h1: "{{ salt['slsutil.merge']({'a': {'b': {'x': 1}}}, {'a': {'b': {'y': 1}}}, strategy='aggregate').a | string | replace('"', '~') }}"
h2: "{{ salt['slsutil.merge']({'a': 1}, {'l': ['x' * 60, 'y' * 60], 'e': ''}, strategy='aggregate') | string | replace('"', '~') | replace('\n', '|') }}"
h3: "{{ salt['slsutil.merge']({'z': 1}, grains.d, strategy='aggregate') | string | replace('"', '~') }}"
h4: "{{ salt['slsutil.merge']({'z': 1}, [1], strategy='aggregate') | string | replace('"', '~') }}"
h5: "{{ salt['slsutil.merge']([1], {'z': 1}, strategy='aggregate') | string | replace('"', '~') }}"
h6: "{{ salt['slsutil.merge'](salt['slsutil.merge']({'z': 1}, {'y': {'d': 1, 'a': 2}}, strategy='aggregate'), {'x': 1}) | string | replace('"', '~') }}"
h7: "{{ salt['slsutil.merge']({}, {}, strategy='aggregate') | string | replace('"', '~') }}"
h8: "{{ salt['slsutil.merge']({'t': (1, 2)}, {'u': 'a: b', 'y': 'yes', 'n': '5', 'm': -1.5}, strategy='aggregate') | string | replace('"', '~') }}"
h9: "{{ salt['slsutil.merge']({'t': 1}, {'u': 2}, 'smart', 'jinja|yamlex') | string | replace('"', '~') }}"
f1: "{{ {'a': {}} | set_dict_key_value('a:b:c', 5, ordered_dict=True) }}"
f2: "{{ {'a': {}} | set_dict_key_value('z', 5, ordered_dict=True) }}"
f3: "{{ {'a': {}} | set_dict_key_value('a:b', 5, ordered_dict=True) | string }}"
f4: "{{ {'a': {}} | append_dict_key_value('a:b:c', 5, ordered_dict=True) | string }}"
f5: {{ {'a': {}} | set_dict_key_value('a:b:c', 5, ':', True) }}
f6: "{{ {'a': {}} | set_dict_key_value('a:b:c', 5, ':', True) | string }}"
f7: "{{ {} | set_dict_key_value('a:b:c', 5, ordered_dict=True) | string }}"
f8: "{{ {} | update_dict_key_value('a:b:c', {'k': 1}, ordered_dict=True) | string }}"
o_c1: {{ {} | set_dict_key_value('a', 5, ordered_dict=True) }}
o_c2: {{ odict() | set_dict_key_value('a:b', 5, ordered_dict=True) }}
o_c3: {{ {} | set_dict_key_value('a:b:c:d', {'x': [1]}, ordered_dict=True) | json }}
o_c4: {{ {} | set_dict_key_value('a:b:c:d', {'x': [1]}, ordered_dict=True) | yaml }}
o_c5: {{ {} | set_dict_key_value('a:b:c:d', {'x': [1]}, ordered_dict=True) | tojson }}
o_c6: {{ {} | set_dict_key_value('a/b', 1, delimiter='/', ordered_dict=True) | tojson }}
o_c7: {{ grains.d | set_dict_key_value('a/b', 1, delimiter='/', ordered_dict=True) | tojson }}
o_c8: {{ {} | set_dict_key_value(keys='a:b', value=1, ordered_dict=True) }}
o_c9: {{ {'a': [1]} | set_dict_key_value('a:b', 1, ordered_dict=True) }}
o_d1: {{ {'a': 'x'} | set_dict_key_value('a:b:c', 1, ordered_dict=True) }}
o_d2: {{ {} | set_dict_key_value('a::c', 1, ordered_dict=True) }}
o_d3: {{ {} | set_dict_key_value('', 1, ordered_dict=True) }}
o_d5: {{ {} | append_dict_key_value('a:b', 1, ordered_dict=True) }}
