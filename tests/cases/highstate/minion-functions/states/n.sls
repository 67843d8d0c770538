x: {{ opts.pillar.nope }}
