yaml6_printed:
  a: 1
  {{ 'b: [c' }}
