c: {{ salt['cp.list_master'](prefix=1) }}
