#!yaml|gpg
# -*- mode: yaml -*-
opened3:
  password: |
    -----BEGIN PGP MESSAGE-----

    hF4DOkzsTY2OPCoSAQdAwCruhU3fCpfw8vM1vXzEiYEKckBegyqrD6f1BMDF1kow
    UqxhLBjVzrPR+DbW1XpcYEM7hIlisdhnlUaHVPIqc5wCORsFWWBQUxsQ9bidvVEv
    0lMBK7nwRYXGGH+/VbLnjWGNyKExBoUglmn52IVH1Gb7UkG41tErMTrjkOGZrPJ5
    xy1VHkImYvTRtK+rXXaR2j85fqfS6LBITx9iosMRyIP9G8dMxQ==
    =zRr9
    -----END PGP MESSAGE-----
  user: sable
  keys:
    - |
      -----BEGIN PGP MESSAGE-----

      hF4DOkzsTY2OPCoSAQdA9Mkroj8X3XsMEflrBBpMMa6gCQrzY9KeT1bUtNKbd3kw
      WKJRA5gVdEZEtb28uF0H9W8PmyYEBdva430EcLGe5E/D7hL42NA8hQfVTins0JKE
      0lIBrQ0uc1jxunlDsc/+/6o5pZxVmQ0H0iHw/wKG/vnJlqAmLTrVYZvTh2HmZxOC
      f4AKEZujONsbXE7uWyVrfdYikUSqtdZFX5cR88Z46JiPW5xX
      =gnJh
      -----END PGP MESSAGE-----
    - open
