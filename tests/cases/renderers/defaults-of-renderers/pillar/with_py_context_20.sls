{"include": [{"py_context_20": {"defaults": {"context": "zz"}}}]}
