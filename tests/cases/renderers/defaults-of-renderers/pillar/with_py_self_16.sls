{"include": [{"py_self_16": {"defaults": {"self": "zz"}}}]}
