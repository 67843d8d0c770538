#!yaml|gpg -*- mode: yaml -*-
# Write a new value with: gpg --encrypt --armor --recipient 'pillarbook example (test only)'
postgres:
  users:
    shop:
      database: shop
      password: |
        -----BEGIN PGP MESSAGE-----

        hF4Dt97ElK194kISAQdA4Wx3kQOSI5T7Jw223cjrg4kzWEd3PpexfpErp6wShDow
        HjtfnPK/5Zbgtw86abhdzzdTfdNOTRT5QvjK4VB9X2T/iRHQI+1oBMHRQT2gn8DE
        0lIB/DDK1nuzSeo0zgHYmZyWkiPRei+qReCYmpTYno62OXhO4kkCi9if95Jk5t95
        oyQtHH84vwoq2nQO4I8zqxlyIycEcSbqijG3qmifLPZ8oI1g
        =jLjw
        -----END PGP MESSAGE-----
    replication:
      database: ~
      password: |
        -----BEGIN PGP MESSAGE-----

        hF4Dt97ElK194kISAQdAYKG0nlJXKQLMzpBK8lwGzl6w6ztDFHEy2S2SZC8X2RMw
        cDZFIAJaWgSPj6ibgHzJjuXaXSepXZMsDH6Q2rzRd/7mgodxL9Ra5qeYGj4k9bV0
        0lkBfYIq8spg3wRYxz81IkBcPi7coVxflYw+iUotJsqvQsOTN1H2PCZFlMFZ4Cda
        5RdjHnuxgROAq4yyCYoNjWlmGE7IAaYrQaGdOpdWdA5P1ydzAf5f/tmAkg==
        =7lLM
        -----END PGP MESSAGE-----
