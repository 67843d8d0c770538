{% set states = salt['file.join'](salt['file.dirname'](tplpath), '../states') | replace('/pillar/..', '') %}
{% set x = states ~ '/f/x.txt' %}
there: {{ [salt['file.file_exists'](x), salt['file.directory_exists'](x), salt['file.access'](x, 'f')] }}
folder: {{ [salt['file.file_exists'](states), salt['file.directory_exists'](states ~ '/f/')] }}
not_there: {{ [salt['file.file_exists'](x ~ '.no'), salt['file.directory_exists'](states ~ '/f/no')] }}
globs: {{ [salt['file.path_exists_glob'](states ~ '/*/x.t?t'), salt['file.path_exists_glob'](states ~ '/z*')] }}
contains: {{ [salt['file.contains'](x, ' two\n'), salt['file.contains'](x, 'three'), salt['file.contains'](x ~ 'y', '')] }}
regex: {{ [salt['file.contains_regex'](x, '^t'), salt['file.contains_regex'](x, '^o', 'tw'), salt['file.contains_regex'](x, '^w')] }}
glob: {{ [salt['file.contains_glob'](x, '*two'), salt['file.contains_glob'](x, 'two')] }}
hash: {{ [salt['file.check_hash'](x, 'md5:0'), salt['file.check_hash'](x, salt['file.get_hash'](x))] }}
host: {% if salt['file.file_exists'](states | replace('states', 'pillar') ~ '/' ~ grains.os ~ '.yaml') %}{{ grains.os }}{% endif %}
