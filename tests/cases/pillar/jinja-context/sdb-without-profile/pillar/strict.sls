s: {{ salt['sdb.get']('sdb://w/key', strict=True) }}
