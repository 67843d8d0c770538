# Included by roles.$role, which gives port and weight.
name: $role
listen: 0.0.0.0:{{ port }}
weight: {{ weight }}
health:
  url: http://localhost:{{ port }}/health
  expect: [200, 204]
options:
  $settings
labels: {role: $role, port: {{ port }}}
