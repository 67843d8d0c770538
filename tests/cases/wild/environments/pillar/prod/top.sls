{{ saltenv }}:
  'G@roles:db or web*':
    - environments1
