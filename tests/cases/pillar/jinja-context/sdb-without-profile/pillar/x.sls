a: {{ salt['sdb.get']('sdb://nowhere/key') | json }}
b: {{ salt['sdb.get']('sdb://nokey') | json }}
c: {{ salt['sdb.get']('nosdb') | json }}
d: {{ salt['sdb.get']('sdb://') | json }}
e: {{ salt['sdb.get']('sdb://x/y?z', strict=False) | json }}
g: {{ salt['sdb.get'](5) | json }}
h: {{ salt['sdb.get']('sdb://w/key') | json }}
i: {{ salt['sdb.get']('sdb://interface/key') | json }}
