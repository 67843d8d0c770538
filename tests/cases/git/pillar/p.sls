p: {{ opts.pillarenv }}
