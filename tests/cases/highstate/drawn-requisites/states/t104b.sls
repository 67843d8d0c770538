s5:
  pkg:
  - managed
  - onchanges:
    - file: s3
  - use:
    - pkg: s2
  - prereq_in:
    - test: s1
s2:
  pkg.run:
  - name: n2
  - names:
    - k20:
      - mode: 8
  - watch_any:
    - test: s4
  - user: 94
s3:
  file.run:
  - name: n3
  - mode: 17
