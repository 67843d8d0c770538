#!cheetah|yaml
renderers9_unknown: 1
