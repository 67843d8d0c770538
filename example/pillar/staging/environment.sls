environment:
  name: staging
  owner: shop
  contact: shop-dev@teashop.example
  # May be rebooted at any time.
  change_window: any
  robots: noindex
