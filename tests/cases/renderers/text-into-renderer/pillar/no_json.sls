#!yaml|json
no json
