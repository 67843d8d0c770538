{"include": [{"jinja_from_str_1": {"defaults": {"from_str": "zz"}}}]}
