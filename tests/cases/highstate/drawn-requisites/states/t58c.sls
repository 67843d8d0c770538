s3:
  cmd.run:
  - names:
    - m30
    - m31
    - m32
  - watch:
    - test: s0
  - mode: 89
s0:
  test.run:
  - use_in:
    - cmd: s3
  - listen_in:
    - cmd: s3
  - mode: 30
