b-prod: {test.nop: [{env: {{ saltenv }}}]}
