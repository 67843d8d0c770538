#!jinja|yaml|gpg
{% set name = 'wildcard' if saltenv == 'prod' else 'staging' %}
tls:
  certificate: /etc/ssl/certs/{{ name }}.pem
  protocols: [TLSv1.3]
  session_timeout: 1d
  private_key: |
    -----BEGIN PGP MESSAGE-----

    hF4Dt97ElK194kISAQdAS1quPMpWmOw3Nl429irM14vTuRPQBUr25AHx3yHImHMw
    K3Cl1UzKZmmMjL/61zpwhTw+pZUFEq7xcVDJnIG6feollEgXR3vbLjyZhlgTh60B
    0pEBUAzvCq9RBk05l/kX9bAfvdbc7rBEtAxiZrWyTYUzAQ2IbS3Vmbdice7vcMBf
    NnpEkX7EwkuAV2EK1jeEjjGurf+ZDkRh2DjTrqfSg9i6jQahDBmCG+hevkVxBYMX
    gjeJzQ/0kO4Pnyt+mi/4SE/0gfnCGzyLblj8KDv6EABNqmC7386k+qZQIJw+8KgQ
    Q6aS
    =FOl4
    -----END PGP MESSAGE-----
