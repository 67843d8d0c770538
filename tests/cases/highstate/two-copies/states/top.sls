base: {'*': [one, two]}
