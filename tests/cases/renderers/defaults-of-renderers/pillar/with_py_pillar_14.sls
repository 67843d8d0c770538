{"include": [{"py_pillar_14": {"defaults": {"pillar": "zz"}}}]}
