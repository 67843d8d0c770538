# The shop itself, a Python application.
include:
  - .queue

app:
  name: shop
  user: shop
  port: 8000
  workers: {{ grains['num_cpus'] * 2 + 1 }}
  release: 4.18.2
  log_level: info
  features:
    wishlist: true
    gift_cards: false
    loose_leaf_calculator: false
  currencies: [EUR, SEK, DKK]
