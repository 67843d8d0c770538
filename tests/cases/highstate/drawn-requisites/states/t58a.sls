s5:
  test:
  - managed
  - require:
    - test: s0
s6:
  service.run:
  - name: n6
  - onfail_in:
    - test: s4
    - service: s7
s7:
  service:
  - enable: 54
  - managed
  - mode: 96
s1:
  cmd:
  - managed
  - name: n1
  - prereq_in:
    - service: s7
  - enable: 48
s2:
  cmd:
  - enable: 99
  - managed
  - user: 96
extend:
  s2:
    cmd:
    - mode: ext
    - new: 1
    - enable: 5
include:
- t58c
- t58b
