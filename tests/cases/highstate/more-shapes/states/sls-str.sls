#!yaml
just text
