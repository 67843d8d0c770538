a-prod: {test.nop: [{env: {{ saltenv }}}]}
