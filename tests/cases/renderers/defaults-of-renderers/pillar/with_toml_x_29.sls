{"include": [{"toml_x_29": {"defaults": {"x": "zz"}}}]}
