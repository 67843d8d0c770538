first:
  test.nop:
    - name: one
second:
  test.nop:
    - require_in:
      - one
