base:
  replaces: [has]
  replaces-below: [below]
  adds: [lacks]
  later: [behind]
