include:
  - globbed5.parts.*
globbed5: {own: 1}
