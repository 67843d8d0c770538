base: {'*': [files, lists]}
