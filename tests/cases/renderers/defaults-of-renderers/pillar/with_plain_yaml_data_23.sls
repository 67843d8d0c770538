{"include": [{"plain_yaml_data_23": {"defaults": {"yaml_data": "zz"}}}]}
