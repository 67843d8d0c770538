prod: {'*': [y, 'sub', 'nope*', 'a']}
