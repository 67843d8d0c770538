s3:
  file.run:
  - prereq:
    - file: s5
  - onfail:
    - id: s1
  - require_in:
    - test: s4
