#!pyobjects
from salt://m.sls import W
Pkg.installed("nginx", version=W)
with Service("x"):
    File.managed("/a", source="b")
