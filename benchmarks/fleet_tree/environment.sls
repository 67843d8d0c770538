environment:
  name: $environment
  log_level: $level
  settings:
    $settings
  registry:
    url: https://registry.$environment.fleet.example
    user: pull
    password: $secret
  windows:
    - {day: tue, from: '09:00', until: '12:00'}
    - {day: thu, from: '14:00', until: '16:00'}
