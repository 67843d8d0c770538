base:
  '*':
    - flow1
    - two_roots2
    - two_roots2-default
    - tags3
    - plain4
    - context5
    - plain6
    - tags7
