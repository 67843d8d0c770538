a:
  test.nop:
    - id: {{ salt['config.get']('id') }}
    - keys: {{ salt['pillar.items']().keys() | list }}
    - one: {{ salt['pillar.items']('a:c') }}
    - names: {{ salt['pillar.ls']() }}
    - glob: {{ salt['match.glob']('m1') }}
    - list: {{ salt['match.list']('m2,x') }}
    - grain: {{ salt['match.grain']('os:Debian') }}
    - compound: {{ salt['match.compound']('I@s:text and m1') }}
    - opts: {{ opts.pillar.a.c }} {{ opts.id }}
    - json: {{ pillar | tojson }}
    - yaml: {{ opts.pillar | yaml }}
    - ids: [{{ salt['config.option']('id') }}, {{ minion_id is defined }}]
