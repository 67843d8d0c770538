environments1: {env: prod, {{ saltenv }}: 3}
