{"include": [{"json_json_data_27": {"defaults": {"json_data": "zz"}}}]}
