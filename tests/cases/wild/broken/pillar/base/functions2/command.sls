functions2_command:
  first: 1
  output: {{ salt.absent.run('echo functions2') }}
