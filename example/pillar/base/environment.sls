environment:
  name: base
  # Who is called when something here breaks.
  owner: platform
  contact: platform@teashop.example
  change_window: Tue 09:00-12:00 UTC
