s5:
  file.run:
  - names:
    - m50
    - m51
    - k52:
      - mode: 3
  - prereq_in:
    - file: s4
  - enable: 27
  - user: 21
s3:
  test.run:
  - require:
    - test: s0
  - enable: 89
s4:
  file.run:
  - name: n4
  - prereq:
    - file: s5
  - enable: 92
s0:
  test.run:
  - user: 63
