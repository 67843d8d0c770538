c-base: {test.nop: [{env: {{ saltenv }}}]}
