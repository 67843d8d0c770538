#!yaml
plain_argline_24: 1
