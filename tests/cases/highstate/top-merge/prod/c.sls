c-prod: {test.nop: [{env: {{ saltenv }}}]}
