#!yaml
plain_yaml_data_23: 1
