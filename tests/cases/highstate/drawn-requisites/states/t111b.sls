s0:
  pkg.run:
  - watch_any:
    - test: s8
  - require_any:
    - s8
  - prereq_in:
    - file: s2
    - service: s4
  - enable: 12
s5:
  service.run:
  - name: n5
  - order: x
  - require_in:
    - cmd: s7
  - require_in:
    - cmd: s7
  - listen_in:
    - cmd: s7
s1:
  pkg:
  - names:
    - m10
  - managed
  - require_any:
    - id: s6
