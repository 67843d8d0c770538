s8:
  file.run:
  - name: n8
  - mode: 79
  - enable: 65
s1:
  service.run:
  - name: n1
  - order: 20000
  - require:
    - file: s8
  - onchanges_in:
    - pkg: s2
  - enable: 41
  - mode: 81
s6:
  cmd.run:
  - name: n6
  - names:
    - m60
    - m61
  - onchanges_any:
    - service: s3
    - id: s4
  - onfail_in:
    - service: s7
    - pkg: s2
s4:
  service.run:
  - names:
    - m40
    - k41:
      - mode: 5
    - k42:
      - mode: 3
  - watch_any:
    - file: s8
  - onchanges_any:
    - s8
  - require_any:
    - file: s8
s2:
  pkg:
  - watch:
    - service: s0
  - managed
  - watch_any:
    - s1
  - user: 82
  - enable: 12
s7:
  service.run:
  - name: n7
  - names:
    - k70:
      - mode: 5
    - m71
    - m72
  - order: 5
  - watch_in:
    - pkg: s2
include:
- t126c
- t126b
