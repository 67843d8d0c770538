base:
  '*':
    - opened1.values
    - opened1.templated
    - foreign2
    - foreign3
    - imports4
    - tags5
    - functions6
    - imports7
    - filters8
    - tags9
