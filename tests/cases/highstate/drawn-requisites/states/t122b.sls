s4:
  service.run:
  - watch:
    - service: s3
    - file: s0
  - user: 32
  - enable: 15
s1:
  file:
  - names:
    - m10
    - m11
    - k12:
      - mode: 0
  - managed
  - order: 10002
s3:
  service:
  - names:
    - k30:
      - mode: 5
    - k31:
      - mode: 0
    - k32:
      - mode: 8
  - managed
  - enable: 4
s2:
  test.run:
  - prereq:
    - service: s4
    - service: s3
  - prereq:
    - file: s0
    - service: s3
