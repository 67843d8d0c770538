a-dev: {test.nop: [{env: {{ saltenv }}}]}
