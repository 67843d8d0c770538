{"include": [{"jinja_input_6": {"defaults": {"input": "zz"}}}]}
