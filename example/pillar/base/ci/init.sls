ci:
  url: https://ci.teashop.example
  executors: {{ grains['num_cpus'] // 2 }}
  labels: [{{ grains['os'] | lower }}, {{ grains['site'] }}, docker]
  cache:
    path: /var/cache/ci
    size_gb: 80
  registry:
    host: registry.teashop.example
    username: ci-push
    # The master decrypts this one in place: decrypt_pillar in its configuration.
    password: |
      -----BEGIN PGP MESSAGE-----

      hF4Dt97ElK194kISAQdAnTrgQDx80+2V+uA5Mlw16kKGNgyB/IAb0uGPIPzk1h4w
      +veDyKmsoxjWc0Pg3SKfSsAg67/PoUszhYJ0Tip5AAwLNDDwjK67+omYjru697KF
      0lYBvzWa5V3hL/YIIRARUfwXqtarGWabllmh7eCLYKSjDPi2cWvYNuiRHQ6oO1dM
      pBf8Y7YpnQvu4hBwmDisXUCX3R5bUj4GJfBBAvz/JKTYqv4pALxAZw==
      =e4vD
      -----END PGP MESSAGE-----
  # For the mirror of our public repositories.
  github:
    organisation: teashop-example
    token: test-only-ghp-5tYw1UeQm3
