environments1: {env: base, {{ saltenv }}: 1, base_only: 1}
