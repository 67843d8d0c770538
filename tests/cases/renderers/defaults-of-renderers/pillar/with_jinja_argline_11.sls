{"include": [{"jinja_argline_11": {"defaults": {"argline": 0}}}]}
