{% do pillar.update({'new': 1}) %}
two:
  test.nop:
    - z: {{ salt['pillar.get']('app')|tojson }}
    - p: {{ pillar.app|tojson }}
    - n: {{ salt['pillar.get']('new')|tojson }}
    - g: {{ grains.g }}
    - r: {{ _pillar_rend is defined }}
