{% set roots = salt['file.dirname'](salt['file.dirname'](tplpath)) %}
{% set x = roots ~ '/states/f/x.txt' %}
read: {{ salt['file.read'](x) | tojson }}
by_grain: {{ salt['file.read'](roots ~ '/pillar/' ~ grains.os ~ '.yaml') | tojson }}
detour: {{ salt.file.read(roots ~ '/states/../states/f/./x.txt') | length }}
names: {{ salt['file'].readdir(roots ~ '/states/f') | sort }}
md5: {{ salt['file.get_hash'](x, 'md5') }}
sum: {{ salt['file.get_sum'](x) }}
none: {{ salt['file.get_sum'](roots ~ '/states/nope') }}
