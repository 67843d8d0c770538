s1:
  pkg.run:
  - onfail_all:
    - s2
    - pkg: s3
  - onchanges_in:
    - pkg: s5
  - listen_in:
    - pkg: s5
  - enable: 88
  - user: 49
s2:
  pkg.run:
  - require:
    - pkg: s4
  - require_in:
    - pkg: s1
    - service: s0
include:
- t135c
- t135b
