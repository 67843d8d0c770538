queue:
  broker: redis://cache1.ams.teashop.example:6379/1
  concurrency: {{ [grains['num_cpus'] - 1, 1] | max }}
  schedules:
    stock_sync: '*/10 * * * *'
    abandoned_baskets: '15 6 * * *'
