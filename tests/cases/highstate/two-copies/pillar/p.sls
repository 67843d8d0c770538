app: {a: 1, d: {e: 1}}
