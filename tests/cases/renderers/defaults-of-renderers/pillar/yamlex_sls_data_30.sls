#!yamlex
yamlex_sls_data_30: 1
