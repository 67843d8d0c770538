{"include": [{"toml_sls_data_28": {"defaults": {"sls_data": "zz"}}}]}
