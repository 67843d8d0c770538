s2:
  test.run:
  - name: n2
  - watch:
    - file: s5
    - test: s1
  - onfail_any:
    - file: s3
s5:
  file.run: []
extend:
  s3:
    file:
    - mode: ext
    - new: 1
    - enable: 5
include:
- t11b
- t11c
