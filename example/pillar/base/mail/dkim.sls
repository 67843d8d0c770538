# Plain text, which the audit reported: encrypt it like web/tls.sls.
dkim:
  selector: tea2024
  domain: teashop.example
  private_key: |
    -----BEGIN PRIVATE KEY-----
    dGVzdCBvbmx5OiB0aGlzIGlzIG5vIGtleSwgb25seSB0ZXh0IGluIGJhc2U2NA==
    bW9yZSB0ZXh0IHRoYXQgaXMgbm8ga2V5IGVpdGhlciwgdGVzdCBvbmx5
    -----END PRIVATE KEY-----
