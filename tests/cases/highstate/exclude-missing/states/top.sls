base: {'*': [x]}
