#!yaml|gpg
# The hosting company encrypted this to its own key; we asked for a new message.
backup:
  offsite:
    bucket: teashop-cold
    region: eu-north
    access_key: |
      -----BEGIN PGP MESSAGE-----

      hF4DVpmRmBGvFs0SAQdAHfgx0OiB6HJk8VD24TXuLw0kZUAkcO6m15KhzPzpK18w
      oYZ6S+iuGLLiD89aauG9Rn9RHaPhr4hp897OqT7+Mdxj81gghmHTovcAprSorHp9
      0lQBx+QXz34NOZdx7xzl21AEyeum2LzQml2JWK3gymrZBptSXa4vbbOrvNrs4G2o
      /AuLlOBZKg13aiXZCpanj77EZL8KPosVgZgsy5RGX3OnnLbb9TI=
      =FtlM
      -----END PGP MESSAGE-----
