base: {'*': [s]}
dev: {'*': [s]}
