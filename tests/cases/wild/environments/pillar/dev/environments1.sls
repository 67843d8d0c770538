environments1: {env: dev, {{ saltenv }}: 2}
