{"include": [{"jinja_context_7": {"defaults": {"context": {"grains": {"os": "other"}, "seen": 1}}}}]}
