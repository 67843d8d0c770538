{"include": [{"jinja_self_2": {"defaults": {"self": "zz"}}}]}
