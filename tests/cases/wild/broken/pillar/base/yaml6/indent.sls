yaml6_indent:
  a: 1
 b: 2
