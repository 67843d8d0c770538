{"include": [{"json_self_26": {"defaults": {"self": "zz"}}}]}
