base: {'*': [x, strict]}
