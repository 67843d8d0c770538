include: [base]
extend:
  web: {service: [{enable: 1, foo: 2}]}
