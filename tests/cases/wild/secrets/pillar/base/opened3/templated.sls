#!jinja|yaml|gpg
# -*- coding: utf-8 -*-
# vim: set ft=yaml:
opened3_templated:
  {%- for name in ['a', 'b'] %}
  {{ name }}: |
    -----BEGIN PGP MESSAGE-----

    hF4DOkzsTY2OPCoSAQdAqb/F2JZ0thYa2zooyG8fQjWrL+vZ32AHmXTO08KxiQQw
    J5Blv0fGhUKUk6IdJWnD/3XVaE2Xk88kKv7FlQQyomWEOLej1O0immt/n9kIs19j
    0lMB5sE4K55yPuNwqgtduCRzXprUSkzQyEm5XhUJOB5M0SEIJQj6mTYzE21pOCzw
    IHMqNjkAEH1JInIA6NyT32STjslZ9VmJ8Yw+nGpnlFy76LrMwg==
    =d98m
    -----END PGP MESSAGE-----
  {%- endfor %}
  host: {{ grains.host }}
