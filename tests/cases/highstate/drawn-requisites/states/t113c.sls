s7:
  pkg.run:
  - mode: 92
s8:
  service.run:
  - name: n8
  - names:
    - k80:
      - mode: 2
  - prereq_in:
    - pkg: s6
s1:
  cmd.run:
  - onfail_any:
    - service: s8
  - mode: 48
s2:
  file:
  - watch_in:
    - file: s0
    - pkg: s3
  - managed
  - mode: 42
s4:
  file.run:
  - order: 20000
  - watch_in:
    - file: s0
    - pkg: s7
