a: {{ opts.nope }}
