{% from 'map.jinja' import ntp with context %}
ntp:
  package: {{ ntp.package }}
  service: {{ ntp.service }}
  config: {{ ntp.config }}
  # Overridden, not extended, by sites with clocks of their own.
  servers:
    - 0.pool.ntp.org
    - 1.pool.ntp.org
    - 2.pool.ntp.org
