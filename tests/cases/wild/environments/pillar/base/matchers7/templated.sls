matchers7: {templated: {{ grains.id }}}
