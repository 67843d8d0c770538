s2:
  pkg:
  - name: n2
  - order: -3
  - mode: 78
  - managed
  - user: 81
include:
- t101b
- t101c
