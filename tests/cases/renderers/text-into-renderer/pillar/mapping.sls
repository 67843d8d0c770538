#!yaml|yaml
k: 1
