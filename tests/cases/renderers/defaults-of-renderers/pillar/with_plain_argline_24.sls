{"include": [{"plain_argline_24": {"defaults": {"argline": "zz"}}}]}
