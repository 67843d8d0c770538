web:
  service.running: [{name: nginx-name}, {enable: false}]
