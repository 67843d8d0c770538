kept7:
  # No gpg in the pipe: the message is a text like any other.
  note: |
    -----BEGIN PGP MESSAGE-----

    hQGMA4CqHqsmIDPnAQwA6yA8jial0fTARldBY1SrzS1m3FPew3X2hI0nYlF9k05t
    MEh0CUWmSCIHf79d/hV4vj0+vYeK02W7bAFjqrGLgRk7Th9dpaPkd2hyNZiJ0/zi
    NmWZzbbrzVoMYm/N0b99soACTo3rpaHX58u1O8klWyn5qUzV7qK3voZA8HNjsOXf
    LbOlLhjPIzIJlxkDmX6HzdY0BBo3TydgBOVTTdd43Y6OK1ohkzX9MRdyqW61EWuy
    dFbEkAy0AtIMXx5r2tPh6yh18QcBbOQR5Uhkotf9lyTbuEZ40o2Pr0TnrogYJB8h
    jebtiFMnkq9tQfpgA/DNkkomv40cUph9gP3fqtgtX0GLO0HExnzeMD9Xm825A+4N
    vldwJ0JS1pxnGz3bPeHsAGjSSA1GAfM6ahtf/I5a8fXZJ6FH43Ikj/beiUUY+wYI
    8WlgEm6iyy9Z8ts5TFfBcBapp3csE3805LwoZO3G667FsUhLydHMjlPmfTJ9T9mb
    O8kevBTCZcufU9XwaXC50k4BpCkk56WLzLRiIyebV8sm6nD6Cuj3QGu7pz4rFwLp
    P+kg1Lp305YxPfd0+0LWtKf+El7yLQwm+CTvco4t0UfiBKe4VEGg384ciye6rKM=
    =iYA7
    -----END PGP MESSAGE-----
  hash: $6$rounds=5000$saltsalt$3H8tQx0kVfQ8oTzLJ0z1nq6m7Y9sWb5cXeRvUpAaDdFfGgHhJjKk
  apr: $apr1$abcdefgh$0123456789abcdefghijk.
  vault: __vault__:secret/data/willow:password
  sdb: sdb://juniper/password
  url: https://user:s3cr3t-rowan@git.example.net/x.git
  PasswordAuthentication: no
  proxy_pass: http://heron:8080
  public_key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIquartz someone@example.net
  private_key: |
    -----BEGIN RSA PRIVATE KEY-----
    MIIEowIBAAKCAQEAmaple8311
    -----END RSA PRIVATE KEY-----
