# The provider's sandbox: accepts the card number 4242 4242 4242 4242 and takes no money.
payment:
  provider: stripling
  endpoint: https://sandbox.stripling.example/v3
  capture: manual
  api_key: |
    -----BEGIN PGP MESSAGE-----

    hF4Dt97ElK194kISAQdAQ8TFVEbf0YGDzZKz3BahKr5FKYHKbFVaU6NdXnkjeHww
    BkkPnd/OaRi613LUbmebVm2fRHt1t5jzAZmix144jJiuXv0kXs3rXlgFnAYtp/Jz
    0lUBAGxcykaX7V7WCetXZx42CSklszvDymcc7zuGSVk05LMHKc3rI/xYh2PXVqOh
    r3L93N+MPkQ6VkHpIyeDjWLm9AD+63BEINuMjBYC1UuQw0dMD+oi
    =dMXy
    -----END PGP MESSAGE-----
