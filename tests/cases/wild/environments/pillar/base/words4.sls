---
# Words that YAML 1.1 takes for something else.
words4:
  answers: [yes, no, on, off, Yes, NO, y, n, true, False]
  mode: 0644
  modes: {dir: 0755, file: '0600', odd: 08, colon: 1:30, hex: 0x1F}
  nothing: [~, null, Null, '', 'null']
  dates: {day: 2024-01-31, time: 2024-01-31 12:30:00, text: '2024-01-31'}
  numbers: [1_000, 1e3, 1.5e+3, .5, 12., -0, +7, .inf]
  version: 1.10
  port: 22
  8080: http
  443: {name: https, iris: 8596}
  2.5: half
  depth: False
  ring_size: 0653
  stripe: true
  rate_limit: '24s'
  min_spare: 7.0
  idle_timeout: '22s'
