environment:
  name: base
  # Whom to call if something here breaks.
  owner: platform
  contact: platform@teashop.example
  change_window: Tue 09:00-12:00 UTC
