{"include": [{"jinja_tmplpath_3": {"defaults": {"tmplpath": "zz"}}}]}
