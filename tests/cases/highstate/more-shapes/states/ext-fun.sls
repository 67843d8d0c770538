include: [base]
extend:
  web: {service: [dead]}
