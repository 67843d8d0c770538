#!jinja|yaml|gpg
# -*- coding: utf-8 -*-
# vim: set ft=yaml:
opened6_templated:
  {%- for name in ['a', 'b'] %}
  {{ name }}: |
    -----BEGIN PGP MESSAGE-----

    hF4DOkzsTY2OPCoSAQdATHHwaEtrLGzxlcyv9o8RuNeGSyRwMeyM4T76fdAlpUUw
    m4HcipwdxFrJgs2k8c6grGspc+XxdRYRiw4jMjPCIro5EcMfe3Zpo7DPPpA9WB0/
    0lEBmLmu451eyDf9rMpj+wcVIJbwf1YC/B7UHZ4JHQu5ASsX1QGEposw4lyGZD6A
    wl2uOL5VrNuKXufquP2iW0Nu9+QGItosNqUXuqC6nMCAgFQ=
    =v9xY
    -----END PGP MESSAGE-----
  {%- endfor %}
  host: {{ grains.host }}
