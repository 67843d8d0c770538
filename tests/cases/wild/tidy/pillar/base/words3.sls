---
# Words that YAML 1.1 takes for something else.
words3:
  answers: [yes, no, on, off, Yes, NO, y, n, true, False]
  mode: 0644
  modes: {dir: 0755, file: '0600', odd: 08, colon: 1:30, hex: 0x1F}
  nothing: [~, null, Null, '', 'null']
  dates: {day: 2024-01-31, time: 2024-01-31 12:30:00, text: '2024-01-31'}
  numbers: [1_000, 1e3, 1.5e+3, .5, 12., -0, +7, .inf]
  version: 1.10
  port: 22
  8080: http
  443: {name: https, yarrow: 8632}
  2.5: half
  backlog: yes
  shards: tundra-81
  connect_timeout: 2.2
  max_retries: 0441
  sweep: cedar-24
  nodelay: 8223
