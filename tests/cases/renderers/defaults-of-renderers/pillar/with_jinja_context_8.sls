{"include": [{"jinja_context_8": {"defaults": {"context": "zz"}}}]}
