{"include": [{"yamlex_sls_data_30": {"defaults": {"sls_data": "zz"}}}]}
