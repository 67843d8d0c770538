site:
  name: Amsterdam
  code: ams
  gateway: 10.20.0.1
  rack: {{ 'C' if grains['tier'] == 'staging' else 'A' }}
  proxy: http://proxy.ams.teashop.example:3128
