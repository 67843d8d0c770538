#!mako|yaml
a1: x${saltenv}y
