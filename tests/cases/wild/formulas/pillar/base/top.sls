base:
  '*':
    - imports1
    - keyed3
    - filters4
    - context5
    - imports6
    - filters7
  '*.example.net':
    - ignore_missing: True
    - ignored2.not-there
    - ignored2.here
