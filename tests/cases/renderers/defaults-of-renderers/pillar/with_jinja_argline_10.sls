{"include": [{"jinja_argline_10": {"defaults": {"argline": ""}}}]}
