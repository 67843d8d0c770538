{% from 'common/map.jinja' import ntp with context %}
ntp:
  pkg.installed:
    - name: {{ ntp.package }}
  file.managed:
    - name: {{ ntp.config }}
    - source: salt://common/files/chrony.conf
    - template: jinja
    - context:
        options: {{ ntp.options }}
        servers: {{ ntp.servers | tojson }}
    - require:
      - pkg: ntp
  service.running:
    - name: {{ ntp.service }}
    - enable: true
    - watch:
      - file: ntp
