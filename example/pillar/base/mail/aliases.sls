aliases:
  postmaster: alice
  abuse: [alice, benoit]
  orders: orders@app1.ams.teashop.example
  # Nobody reads it, but it must not bounce.
  noreply: /dev/null
