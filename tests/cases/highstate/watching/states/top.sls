base: {'*': [one]}
