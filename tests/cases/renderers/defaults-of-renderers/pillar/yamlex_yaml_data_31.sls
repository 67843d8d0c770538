#!yamlex
yamlex_yaml_data_31: 1
