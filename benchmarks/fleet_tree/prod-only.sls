$name:
  enabled: true
  owner: {{ grains['team'] }}
  settings:
    $settings
  credential: |
$armor
