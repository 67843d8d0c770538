environment:
  name: staging
  owner: shop
  contact: shop-dev@teashop.example
  # May be rebooted whenever somebody feels like it.
  change_window: any
  robots: noindex
