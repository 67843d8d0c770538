x: {{ pillar['nope'] }}
