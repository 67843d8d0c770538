base:
  '*':
    - foreign1
    - context2
    - functions3
    - locked4.locked
    - locked4.open
    - pulled_in5
    - functions6
    - imports7
    - macros8
