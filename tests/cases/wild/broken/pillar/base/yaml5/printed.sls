yaml5_printed:
  a: 1
  {{ 'b: [c' }}
