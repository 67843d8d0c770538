yaml6_tag:
  value: !vault heron
