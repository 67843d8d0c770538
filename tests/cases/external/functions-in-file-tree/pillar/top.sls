base: {'*': [app]}
