s4:
  test.run:
  - order: last
  - require_in:
    - test: s2
  - onchanges:
    - test: s0
    - file: s3
  - require_in:
    - test: s2
  - enable: 79
  - mode: 18
s1:
  test.run:
  - name: n1
  - onfail_any:
    - file: s5
  - mode: 50
  - enable: 71
s0:
  test.run:
  - name: n0
  - order: 3.5
  - watch_any:
    - file: s5
  - enable: 86
