include: [base]
extend:
  web: text
