{"include": [{"py_salt_15": {"defaults": {"salt": "zz"}}}]}
