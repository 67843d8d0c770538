{"include": [{"jinja_yaml_data_4": {"defaults": {"yaml_data": "zz"}}}]}
