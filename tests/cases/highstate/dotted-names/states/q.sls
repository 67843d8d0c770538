include: [/t, t]
q:
  test.nop:
    - require: [sls: /t]
