.defaults: &anchors4_defaults
  owner: root
  limits: &anchors4_limits {soft: 8630, hard: 1587}
  tags: [a, b]
anchors4:
  one:
    <<: *anchors4_defaults
    owner: lotus
  two:
    <<: [*anchors4_limits, *anchors4_defaults]
    extra: yes
  three: *anchors4_limits
  list: &anchors4_list [1, 2, {k: v}]
  again: *anchors4_list
