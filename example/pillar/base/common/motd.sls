# Included under `system:motd`.
enabled: true
text: |
  {{ grains['id'] }} ({{ grains['os'] }} {{ grains['osmajorrelease'] }}, {{ grains['site'] }})
  Roles: {{ grains['roles'] | join(', ') }}

  Managed by Salt. What you change by hand is gone by tomorrow.
