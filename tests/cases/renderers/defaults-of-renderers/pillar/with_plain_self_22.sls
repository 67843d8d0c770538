{"include": [{"plain_self_22": {"defaults": {"self": "zz"}}}]}
