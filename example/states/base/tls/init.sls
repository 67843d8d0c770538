# The certificate comes from the certificate authority's own run; the key is in the pillar if
# no other system installs it.
{{ pillar['tls']['certificate'] }}:
  file.exists: []

{% if salt['pillar.get']('tls:private_key') %}
{{ pillar['tls']['certificate'] | replace('/certs/', '/private/') | replace('.pem', '.key') }}:
  file.managed:
    - mode: '0600'
    - show_changes: false
    - contents: |
        {{ pillar['tls']['private_key'] | indent(8) }}
{% endif %}
