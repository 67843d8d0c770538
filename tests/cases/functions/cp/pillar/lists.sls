files: {{ salt['cp.list_master']() }}
below: {{ salt['cp.list_master'](prefix='f/d') }}
folders: {{ salt['cp.list_master_dirs']() }}
states: {{ salt['cp.list_states']() }}
dev: {{ salt['cp.list_states'](saltenv='dev') }}
unknown: {{ salt['cp.list_states']('no') }}
envs: {{ salt['cp.envs']() }}
every: {{ salt['cp.cache_master']('dev') | map('regex_replace', '.*/files/', '') | list }}
