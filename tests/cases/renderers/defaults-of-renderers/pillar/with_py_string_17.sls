{"include": [{"py_string_17": {"defaults": {"string": "zz"}}}]}
