base: {'*': [b, b2, b3]}
