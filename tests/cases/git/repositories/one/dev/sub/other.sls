other: {{ salt['pillar.get']('p','none') }} {{ grains.id }} {{ opts['id'] }} {{ opts.get('__git_pillar') }}
