a:
  cmd.run:
    - retry: {attempts: 2}
    - retry: {until: true}
    - env: [{A: 1}]
    - require: []
    - watch: []
