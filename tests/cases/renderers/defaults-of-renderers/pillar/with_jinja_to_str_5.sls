{"include": [{"jinja_to_str_5": {"defaults": {"to_str": "zz"}}}]}
