base:
  '*':
    - opened1.values
    - opened1.templated
    - foreign2
    - opened3.values
    - opened3.templated
    - plain4
    - globbed5
    - opened6.values
    - opened6.templated
    - kept7
    - plain8
    - kept9
