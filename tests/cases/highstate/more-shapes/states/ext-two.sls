include: [base, ext-dot]
extend:
  web:
    service: [{enable: maybe}, {require: [{pkg: q}]}]
q: {pkg.installed: []}
