s: {{ salt['sdb.get']('sdb://w', strict=True) }}
