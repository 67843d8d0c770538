#!yaml|gpg
# -*- mode: yaml -*-
opened6:
  password: |
    -----BEGIN PGP MESSAGE-----

    hF4DOkzsTY2OPCoSAQdAhsB9wNcSlIzwZT3FRpXgPwRq1g2fIQKrvJR023x02mww
    gP1cD8d8uYI4iMOHRWQ3MRqgTSQhWCEQhRtUITQ98SF+NcH2YHNU/gAZbkLy/XFV
    0lIBPzknSQe1Dk4osxqVABU1hQzn05oQoWucmjSgGwKvBQv0+3F/8N4gNK0kXIs0
    kxoXrfog3x+dkW1cGM4DhJdY5BHHNqjpcwpnnLuISptsNuB5
    =FXfB
    -----END PGP MESSAGE-----
  user: ember
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
