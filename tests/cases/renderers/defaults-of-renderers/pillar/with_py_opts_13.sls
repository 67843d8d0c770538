{"include": [{"py_opts_13": {"defaults": {"opts": "zz"}}}]}
