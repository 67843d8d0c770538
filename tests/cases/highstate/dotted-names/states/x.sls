include: [/d/e]
exclude: [sls: d.e]
x: test.nop
