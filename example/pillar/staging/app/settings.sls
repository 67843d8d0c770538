# Settings that staging tests.
app:
  release: 4.19.0-rc3
  log_level: debug
  features:
    gift_cards: true
    loose_leaf_calculator: true
  currencies: [EUR]
  basic_auth:
    username: taster
    password: test-only-taster-P3kVd8Zx
queue:
  broker: redis://localhost:6379/1
