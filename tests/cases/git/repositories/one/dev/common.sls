common: {from: onedev, l: [dev], env: {{ saltenv }}, pe: {{ opts.pillarenv }}, p: {{ pillar.get('p') }}}
