base: {'*': [read, ask]}
