include: [base]
exclude: [{sls: ext-excl}]
extend:
  web: {service: [{enable: no}]}
