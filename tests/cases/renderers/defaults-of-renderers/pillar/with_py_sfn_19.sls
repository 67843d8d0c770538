{"include": [{"py_sfn_19": {"defaults": {"sfn": "zz"}}}]}
