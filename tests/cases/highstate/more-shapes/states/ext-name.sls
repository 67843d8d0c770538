include: [base]
extend:
  nginx-name:
    service: [{enable: true}, {watch: [{file: c}]}]
c: {file.managed: []}
