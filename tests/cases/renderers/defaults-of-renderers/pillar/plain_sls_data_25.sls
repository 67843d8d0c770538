#!yaml
plain_sls_data_25: 1
