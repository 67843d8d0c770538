s3:
  cmd.run:
  - require_in:
    - test: s4
  - onfail_any:
    - s2
include:
- t143c
- t143b
