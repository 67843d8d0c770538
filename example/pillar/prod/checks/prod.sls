checks:
  http:
    front:
      # Customers notice in less than a minute.
      interval: 15
      alert: page
    nordic:
      url: https://kauppa.teashop.example/
      interval: 60
      alert: mail
