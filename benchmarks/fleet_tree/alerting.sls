alerting:
  environment: $environment
  receivers: [{{ grains['team'] }}@fleet.example, on-call@fleet.example]
  token: $secret
  settings:
    $settings
