site:
  name: from the tree
  seen: {{ pillar.get('db', {}).get('password', 'nothing') | json }}
