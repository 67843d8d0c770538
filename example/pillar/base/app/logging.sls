logging:
  driver: journald
  ship_to: mon1.ams.teashop.example:5140
  format: json
  sample_rate: 1.0
