s4:
  test.run:
  - onchanges_in:
    - service: s7
  - use:
    - service: s6
  - onfail_in:
    - cmd: s1
    - service: s7
  - enable: 79
  - user: 41
