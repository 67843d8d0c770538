s5:
  pkg.run:
  - name: n5
  - order: 5
  - onfail_any:
    - pkg: s3
    - id: s1
