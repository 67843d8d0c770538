base:
  "*": [app, locked, av, agearm, agebin, pgpw, imp]
