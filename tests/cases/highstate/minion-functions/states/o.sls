x: {{ opts.nope }}
