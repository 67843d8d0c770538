#!mako|yaml
k: ${saltenv}
