include: [base]
extend:
  web:
    service.running: [{name: x}]
    file: [managed, {name: /x}]
