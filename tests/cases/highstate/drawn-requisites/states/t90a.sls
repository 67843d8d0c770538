s4:
  cmd.run:
  - names:
    - m40
    - m41
    - m42
include:
- t90b
- t90c
