# The anchor has the values that all of these checks share.
check_defaults:
  http: &http
    interval: 60
    timeout: 5
    expect: 200
    follow_redirects: yes

checks:
  http:
    front:
      <<: *http
      url: https://teashop.example/
    basket:
      <<: *http
      url: https://teashop.example/basket
      timeout: 10
    status:
      <<: *http
      url: https://status.teashop.example/health
      expect: 204
