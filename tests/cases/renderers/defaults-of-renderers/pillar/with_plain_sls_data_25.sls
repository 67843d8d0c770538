{"include": [{"plain_sls_data_25": {"defaults": {"sls_data": "zz"}}}]}
