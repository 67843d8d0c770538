{% set cached = salt['cp.cache_file']('salt://f/x.txt') %}
text: {{ salt['cp.get_file_str']('salt://f/x.txt') | tojson }}
dev: {{ [salt['cp.get_file_str']('salt://only.sls'), salt['cp.get_file_str']('salt://only.sls', 'dev'), salt['cp.get_file_str']('salt://only.sls?saltenv=dev')] | tojson }}
url: {{ salt['cp.get_url']('salt://f/x.txt', None) | tojson }}
cached: {{ cached | regex_replace('.*/files/', '') }}
cached_dev: {{ salt['cp.get_url']('salt://only.sls', saltenv='dev') | regex_replace('.*/files/', '') }}
read_cached: {{ salt['file.read'](cached) | tojson }}
cached_there: {{ [salt['file.file_exists'](cached), cached | file_hashsum('md5')] }}
not_there: {{ [salt['cp.get_file_str']('salt://no'), salt['cp.cache_file']('salt://no'), salt['cp.get_url']('salt://no', None), salt['cp.cache_file']('salt://f'), salt['cp.hash_file']('salt://no')] | tojson }}
several: {{ salt['cp.cache_files'](['salt://f/x.txt', 'salt://no']) | map('string') | map('regex_replace', '.*/files/', '') | list }}
folder: {{ salt['cp.cache_dir']('salt://f', exclude_pat='*.txt') | map('regex_replace', '.*/files/', '') | list }}
hash: {{ salt['cp.hash_file']('salt://f/x.txt') | tojson }}
local: {{ salt['cp.get_file_str'](salt['file.dirname'](tplpath) ~ '/top.sls') | tojson }}
local_hash: {{ salt['cp.hash_file'](tplpath | replace('files.sls', 'top.sls')) | tojson }}
