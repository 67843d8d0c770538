#!mako|yaml
mkd: ${v}
