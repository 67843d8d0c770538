s5:
  pkg.run:
  - name: n5
  - order: -1
  - onfail_all:
    - service: s3
  - onchanges_in:
    - cmd: s6
  - use_in:
    - pkg: s2
  - mode: 93
  - user: 67
