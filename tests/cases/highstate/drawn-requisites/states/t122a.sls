s0:
  file.run: []
s5:
  service:
  - managed
  - use_in:
    - service: s4
  - mode: 92
  - enable: 78
include:
- t122b
- t122c
