a-base: {test.nop: [{env: {{ saltenv }}}]}
