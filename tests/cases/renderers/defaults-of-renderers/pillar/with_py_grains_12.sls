{"include": [{"py_grains_12": {"defaults": {"grains": "zz"}}}]}
