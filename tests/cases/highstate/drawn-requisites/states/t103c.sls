s3:
  test.run:
  - name: n3
  - use_in:
    - service: s1
  - use_in:
    - test: s8
