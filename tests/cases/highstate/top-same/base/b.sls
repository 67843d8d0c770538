b-base: {test.nop: [{env: {{ saltenv }}}]}
