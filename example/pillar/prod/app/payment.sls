payment:
  provider: stripling
  endpoint: https://api.stripling.example/v3
  capture: automatic
  retries: 3
  api_key: |
    -----BEGIN PGP MESSAGE-----

    hF4Dt97ElK194kISAQdARDPKtFesIgd4muZ8Zv+1LUpCY2aubw4Y0qUC6V8o9FEw
    zde4OgIo1+XVpkXzRjJaWg8ki7nm+thEiMOPxJF4hXgazKAapnlh9Mk01pgqBPX4
    0lIBh+GpfkrMW6HXOsVR1FspQfoKhMkMSwW3vTM/UdC5P9izO2kuQ8Ip50rQx6aP
    BPkJjtuVMW0GXJ+eui56DrfY2IelOf+CONk/7C7w0Yu6VBUC
    =OqaX
    -----END PGP MESSAGE-----
