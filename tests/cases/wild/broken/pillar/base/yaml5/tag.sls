yaml5_tag:
  value: !vault delta
