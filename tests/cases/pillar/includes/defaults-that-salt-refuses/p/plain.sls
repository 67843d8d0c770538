#!yaml
plain: 1
