checks:
  http:
    staging-front:
      url: https://shop-staging.teashop.example/
      interval: 600
      expect: 401
