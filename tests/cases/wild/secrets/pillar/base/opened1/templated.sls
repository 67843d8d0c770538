#!jinja|yaml|gpg
# -*- coding: utf-8 -*-
# vim: set ft=yaml:
opened1_templated:
  {%- for name in ['a', 'b'] %}
  {{ name }}: |
    -----BEGIN PGP MESSAGE-----

    hF4DOkzsTY2OPCoSAQdAwCruhU3fCpfw8vM1vXzEiYEKckBegyqrD6f1BMDF1kow
    UqxhLBjVzrPR+DbW1XpcYEM7hIlisdhnlUaHVPIqc5wCORsFWWBQUxsQ9bidvVEv
    0lMBK7nwRYXGGH+/VbLnjWGNyKExBoUglmn52IVH1Gb7UkG41tErMTrjkOGZrPJ5
    xy1VHkImYvTRtK+rXXaR2j85fqfS6LBITx9iosMRyIP9G8dMxQ==
    =zRr9
    -----END PGP MESSAGE-----
  {%- endfor %}
  host: {{ grains.host }}
