q: {test.nop: [{name: {{ saltenv }}}]}
