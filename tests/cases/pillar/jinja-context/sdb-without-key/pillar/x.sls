b: {{ salt['sdb.get']('sdb://nokey') | json }}
c: {{ salt['sdb.get']('nosdb') | json }}
d: {{ salt['sdb.get']('sdb://') | json }}
g: {{ salt['sdb.get'](5) | json }}
