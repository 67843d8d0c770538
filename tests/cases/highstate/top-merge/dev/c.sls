c-dev: {test.nop: [{env: {{ saltenv }}}]}
