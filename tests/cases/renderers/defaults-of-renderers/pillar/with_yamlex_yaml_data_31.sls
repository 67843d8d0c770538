{"include": [{"yamlex_yaml_data_31": {"defaults": {"yaml_data": "zz"}}}]}
