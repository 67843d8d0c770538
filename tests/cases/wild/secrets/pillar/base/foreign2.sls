#!yaml|gpg
foreign2:
  user: willow
  password: |
    -----BEGIN PGP MESSAGE-----

    hQGMA4CqHqsmIDPnAQwAnvX8i59v/boVQSLXTQ2kj3k2r0u3V0F3+tgFEFD8KxSY
    RJb7YMnE13HwzAvDukog8hinvdbxafwZ+0qPk8PDIzRqhLE8sqM+c9i1LhSN2XAB
    kK0PU+/Pbl9ZRtLw1ABwh1fWZMGsjQNkjEh14ZeFO08jOy+pVGunNmHA3Q+SYGp0
    rmSr1TpeOnBNUMK50ZyKyScd+/5qzjwB55nJMENVjkmQHQ2FcoHCu5+cOlyFB/0o
    r7paBZMLhUFLh1XNr6pozlX/pDaT1VKlL3UKM68NKJ7nTbURJYAQFad5VpTKJ2Sf
    N4ciiXPaBkicd4/CwtzlV1Qn8coKW40dynIobn/K1ez0cnLCZ8RzZQvhz3mJzs9H
    7HrvvfgFiqKrQBMPUfmZj/rT4mlBOADEJfoZpndZ3xgtIhFLHDmbNus9ZS/jJ6wf
    y/tpstRWUKzF3qLzdkB7fI+ANgkq3mNlHg7YSCw0XU31tabd6JnkO1J0puCHQJlB
    cb/Mivvp/FjNctgZUOnj0k4BNHXSEtPVAeOWrCvt36G8bB5M2OVzq9Ho6SOS3WpE
    /mOubn2vIRTyb4Eb1HL/uxwwT0eaR6sVbure4SPbJx1o3GDNrna3lMJfYUpahN0=
    =qWRa
    -----END PGP MESSAGE-----
