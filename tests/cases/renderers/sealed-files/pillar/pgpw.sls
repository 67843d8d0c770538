-----BEGIN PGP MESSAGE-----
Version: GnuPG v2

hQEM
-----END PGP MESSAGE-----
