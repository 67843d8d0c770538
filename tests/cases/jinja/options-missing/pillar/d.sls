d: {{ opts.get('nope', 5) }} {{ opts is mapping }} {{ opts.id }}
