{"include": [{"jinja_argline_0": {"defaults": {"argline": "zz"}}}]}
