exclude:
  - sls: missing
  - sls: y
  - id: nothere
  - other
include: [y]
s1:
  test.nop
other:
  test.nop
