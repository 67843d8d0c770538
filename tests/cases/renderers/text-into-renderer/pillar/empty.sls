#!yaml|yaml
# nothing
