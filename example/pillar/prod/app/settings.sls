# Values that differ from the shop's defaults in app/init.sls.
app:
  log_level: warning
  features:
    gift_cards: true
  session:
    lifetime: 14d
    secret: test-only-session-W6cXn4Tq
    secure_cookies: yes
  limits:
    requests_per_minute: 600
    basket_items: 99
