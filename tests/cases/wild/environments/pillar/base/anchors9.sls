.defaults: &anchors9_defaults
  owner: root
  limits: &anchors9_limits {soft: 8622, hard: 6741}
  tags: [a, b]
anchors9:
  one:
    <<: *anchors9_defaults
    owner: delta
  two:
    <<: [*anchors9_limits, *anchors9_defaults]
    extra: yes
  three: *anchors9_limits
  list: &anchors9_list [1, 2, {k: v}]
  again: *anchors9_list
