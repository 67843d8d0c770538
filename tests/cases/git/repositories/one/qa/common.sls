common: {from: oneqa, l: [qa], env: {{ saltenv }}, pe: {{ opts.pillarenv }}, p: {{ pillar.get('p') }}}
