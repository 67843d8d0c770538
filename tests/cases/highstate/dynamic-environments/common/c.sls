c_{{ saltenv }}: {test.nop: []}
