include: [base]
extend:
  web:
    service.dead: [{enable: false}]
