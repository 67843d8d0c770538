environment:
  name: prod
  owner: platform
  contact: on-call@teashop.example
  change_window: Wed 05:00-07:00 UTC
  # No deployments from the first of December until the end of the sales.
  freeze:
    from: '12-01'
    until: '01-06'
