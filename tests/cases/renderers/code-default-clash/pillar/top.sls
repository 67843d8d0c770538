base: {"*": [a]}
