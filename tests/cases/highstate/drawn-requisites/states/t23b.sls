s4:
  file:
  - managed
s3:
  service.run:
  - onchanges_in:
    - pkg: s5
    - file: s4
  - enable: 62
s8:
  pkg:
  - prereq:
    - service: s2
  - onfail:
    - id: s3
  - onchanges_in:
    - pkg: s5
    - test: s0
  - managed
  - mode: 82
s2:
  service.run:
  - names:
    - k20:
      - mode: 2
  - watch_in:
    - file: s4
  - require_in:
    - test: s1
    - test: s0
  - user: 76
