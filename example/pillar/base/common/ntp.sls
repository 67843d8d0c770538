{% from 'map.jinja' import ntp with context %}
ntp:
  package: {{ ntp.package }}
  service: {{ ntp.service }}
  config: {{ ntp.config }}
  # Sites with their own clocks override this list; they do not extend it.
  servers:
    - 0.pool.ntp.org
    - 1.pool.ntp.org
    - 2.pool.ntp.org
