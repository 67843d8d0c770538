a: {{ 1 | load_yaml }}
