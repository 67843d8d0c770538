s2:
  file.run:
  - name: n2
s0:
  test.run:
  - order: 10002
  - listen_in:
    - pkg: s5
    - test: s6
  - prereq:
    - file: s2
  - listen:
    - s2
  - mode: 7
  - user: 47
s1:
  service.run:
  - name: n1
  - use:
    - file: s2
  - prereq_in:
    - test: s4
  - mode: 71
  - enable: 91
s4:
  test.run:
  - use:
    - cmd: s3
    - service: s1
