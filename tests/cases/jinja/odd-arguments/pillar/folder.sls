b: {{ salt['cp.cache_dir']('sub') }}
