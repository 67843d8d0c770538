#!yaml|json
'{"b": {"c": 1}}'
