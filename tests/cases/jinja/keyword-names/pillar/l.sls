{%- set odd = {('a', 'b') | join: ('x', 1), 'm': {'n': [('y',)]}} %}
replace: {{ 'a.b' | regex_replace(rgx='b', val='X') }}
replace_all: {{ 'a.b' | regex_replace(val='X', rgx='B', ignorecase=true, multiline=true) }}
search: {{ 'abc' | regex_search(rgx='(b)(c)') | list }}
match: {{ 'abc' | regex_match(rgx='A', ignorecase=true) | list }}
is_match: {{ 'abc' is match(rgx='ab') }}
union: {{ [1, 2] | union(lst2=[3]) }}
intersect: {{ [1, 2] | intersect(lst2=[2]) }}
difference: {{ [1, 2] | difference(lst2=[2]) }}
symmetric: {{ [1, 2] | symmetric_difference(lst2=[2, 3]) }}
substring: {{ 'lo' | substring_in_list(list_to_search=['hello']) }}
call: {{ 'a-b' | method_call(f_name='upper') }}
query: {{ {'a': {'b': 5}} | json_query(expr='a.b') }}
hmac: {{ 'get salted' | hmac_compute(shared_secret='shared') }}
signed: {{ 'get salted' | hmac(shared_secret='shared secret', challenge_hmac='eBWf9bstXg+NiP5AOwppB5HMvZiYMPzEM9W5YMm/AmQ=') }}
encoded: {{ odd | json_encode_dict(preserve_tuples=true, preserve_dict_class=true) | string | to_num | string | replace("'", '"') | tojson }}
as_lists: {{ odd | json_encode_dict(preserve_tuples=false) | string | replace("'", '"') | tojson }}
as_tuples: {{ [('a', ('b',)), {'k': ('v',)}] | json_encode_list(encoding='utf-8', errors='strict', keep=true, preserve_tuples=true) | string | replace("'", '"') | tojson }}
of_class: {{ odict([('a', odict([('b', 'c')]))]) | json_decode_dict(preserve_dict_class=true) | string | replace("'", '"') | tojson }}
of_list: {{ [odict([('a', 1)]), ('t',)] | json_decode_list(preserve_dict_class=true, preserve_tuples=true) | string | replace("'", '"') | tojson }}
digest: {{ salt['hashutil.md5_digest'](instr='x') }}
digest_sha: {{ salt['hashutil.sha256_digest'](instr='x') }}
base64: {{ salt['hashutil.base64_b64encode'](instr='x') }} {{ salt['hashutil.base64_b64decode'](instr='eA==') }}
computed: {{ salt['hashutil.hmac_compute'](string='x', shared_secret='y') }}
signature: {{ salt['hashutil.hmac_signature'](string='x', shared_secret='y', challenge_hmac='z') }}
item: {{ salt['pillar.item']('nope', default=1, unmask=true) }}
get: {{ salt['pillar.get']('nope', 'd', unmask=true) }}
masked: {{ salt['pillar.get']('nope', {'a': ['x', 0, 5, true, none, '', {'b': 1.5}]}, unmask=false) | tojson }}
of_pillar: '{{ salt['pillar.get']('web', unmask=false) | tojson }} {{ salt['pillar.item']('web:port', 'web', unmask=0) | tojson }}'
merged: {{ salt['pillar.get']('web', {'n': 1}, merge=true, unmask='') | tojson }}
raw: '{{ salt['pillar.raw']('web', unmask=false) | tojson }} {{ salt['pillar.raw'](unmask=false) | tojson }} {{ salt['pillar.raw']('web') | tojson }}'
joined: {{ ['/a', '/b'] | first | path_join('/b', use_posixpath=true) }}
