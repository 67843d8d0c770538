#!yaml
plain_self_22: 1
