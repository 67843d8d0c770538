{"include": [{"jinja_context_9": {"defaults": {"context": null}}}]}
