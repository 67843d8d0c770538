first: {}
second:
  test.nop:
    - require_in:
      - first
