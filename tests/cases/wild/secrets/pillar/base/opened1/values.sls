#!yaml|gpg
# -*- mode: yaml -*-
opened1:
  password: |
    -----BEGIN PGP MESSAGE-----

    hF4DOkzsTY2OPCoSAQdA4wCQHs+0p3OT03Cf0bLr3uofy6TQXWwQsqu0rc1Yu1Uw
    rN24olI2dk7vshnS0jmKQRVxj6IViE57jRVMgTahN/8l/9u450RsewbsKQ81PuXj
    0lEBBn2GhSiW7ttExRF/yU+N7WXsxf+AsUBFBFZwK4ZBj+YtUKfNJ6GrOXBwYmbE
    9sdFeF8/LzAreHZ0vEayGf3TZDDliHGu2KDVtBHRZBQ/ICc=
    =+LO2
    -----END PGP MESSAGE-----
  user: lotus
  keys:
    - |
      -----BEGIN PGP MESSAGE-----

      hF4DOkzsTY2OPCoSAQdA9GwOeMJfPhap1ZYTVdnEqCXWtETav/cvnnqDUeNQAj8w
      hyKyGjr0J8TxvIBvmCCZZARdKto7ICIKvgmsfHzcFwqLdXZRV/AaSEy5nGnLwzI9
      0lEBHBBuNpStzpBDSSQsCMWVDw/NyLvfYZOiYRIjF4nO4FR/wBzVbExhB5UHudyd
      688iLKuSkonKm+K5893tpPBtlKVxu3D8ae/8dcvFZxtM6jM=
      =r9aa
      -----END PGP MESSAGE-----
    - open
