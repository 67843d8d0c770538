renderers9_other: 1
