base: {'*': [asks, unknown]}
