{% set app = salt['pillar.get']('app', {}) %}{% do app.update({'b': 2}) %}{% set d = salt['pillar.get']('app:d') %}{% do d.update({'f': 2}) %}{% do grains.update({'g': 5}) %}
one:
  test.nop:
    - z: {{ salt['pillar.get']('app')|tojson }}
    - g: {{ salt['grains.get']('g') }}
    - c: {{ salt['config.get']('app') | tojson }}
