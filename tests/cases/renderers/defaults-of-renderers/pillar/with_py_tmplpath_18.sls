{"include": [{"py_tmplpath_18": {"defaults": {"tmplpath": "zz"}}}]}
