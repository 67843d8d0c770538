#!toml
toml_sls_data_28 = 1
