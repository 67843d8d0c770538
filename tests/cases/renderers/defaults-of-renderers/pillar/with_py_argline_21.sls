{"include": [{"py_argline_21": {"defaults": {"argline": "zz"}}}]}
