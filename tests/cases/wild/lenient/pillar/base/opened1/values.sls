#!yaml|gpg
# -*- mode: yaml -*-
opened1:
  password: |
    -----BEGIN PGP MESSAGE-----

    hF4DOkzsTY2OPCoSAQdAtOVOtjW/W/rdMJ+vtIDeJmKxO0CuwQktzmHdwiNe0h8w
    GuM/8G0tlzOSUYUQIAN/zmrxZwvM2lRPx0Nytg9uq0dymwOEQynH1AIMd/LqVt8u
    0lIBidl19eymVqOLdOW8iRECPUT5ol+pKIa96iOlQW9JC5vjPP/dljsREIHkG8B5
    IpMVOcOnUH55CQRbxHW1wZjL78+8rL7LS+hvnxEwHZZ3bC6d
    =TXT+
    -----END PGP MESSAGE-----
  user: maple
  keys:
    - |
      -----BEGIN PGP MESSAGE-----

      hF4DOkzsTY2OPCoSAQdArzYOvN6mFB5Dd4oIoJFZZjorxK1oCbBeJlBnjOmyV0gw
      /Ved85GwZG+L0z9lvibjvjYWVXUv5FokMewOpQevCvAqtbAQeuVpJh27N2sAdxK8
      0lMBlovJuGYFMIireyBTdqhsSuKNuizweP/5+Vd2SfCkQ/LjL+Hzh3WjLZlhIFON
      tVwPq/F9YZCk8DruXZqYCxAXVcMy+rp0YW/yLMtSrLrmJVTfwQ==
      =6qfP
      -----END PGP MESSAGE-----
    - open
