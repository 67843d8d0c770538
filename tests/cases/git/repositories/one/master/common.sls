common: {from: onemaster, l: [master], env: {{ saltenv }}, pe: {{ opts.pillarenv }}, p: {{ pillar.get('p') }}}
