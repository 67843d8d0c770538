b-dev: {test.nop: [{env: {{ saltenv }}}]}
