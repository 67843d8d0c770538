s3:
  pkg:
  - managed
  - order: -1
  - watch_in:
    - file: s0
  - watch_in:
    - pkg: s7
  - listen:
    - file: s2
s5:
  file:
  - user: 12
  - enable: 85
  - managed
include:
- t113b
- t113c
