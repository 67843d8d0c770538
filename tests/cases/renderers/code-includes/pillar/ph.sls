#!pyobjects
class M(Map):
    class Debian:
        web = "apache2"
Pkg.installed(M.web)
