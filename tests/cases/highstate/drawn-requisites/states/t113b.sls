s6:
  pkg.run:
  - names:
    - k60:
      - mode: 1
    - k61:
      - mode: 4
    - m62
  - prereq_in:
    - pkg: s3
  - listen_in:
    - file: s2
  - use_in:
    - pkg: s3
    - file: s2
  - mode: 11
s0:
  file.run:
  - onfail:
    - pkg: s6
exclude:
- id: nope
