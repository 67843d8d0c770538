{% set postfix = pillar['postfix'] %}
include:
  - tls

postfix:
  pkg.installed: []
  service.running:
    - enable: true
    - listen:
      - file: /etc/postfix/main.cf
      - file: /etc/postfix/sasl_passwd
      - sls: tls

/etc/postfix/main.cf:
  file.managed:
    - contents:
      - myhostname = {{ postfix.myhostname }}
      - mydomain = {{ postfix.mydomain }}
      - mynetworks = {{ postfix.mynetworks | join(', ') }}
      - message_size_limit = {{ postfix.message_size_limit }}
      - smtpd_tls_security_level = {{ postfix.smtpd_tls_security_level }}
      - smtpd_tls_cert_file = {{ pillar['tls']['certificate'] }}
      - relayhost = [{{ postfix.relay.host }}]:{{ postfix.relay.port }}
    - require:
      - pkg: postfix

/etc/postfix/sasl_passwd:
  file.managed:
    - mode: '0600'
    - contents: '[{{ postfix.relay.host }}]:{{ postfix.relay.port }} {{ postfix.relay.username }}:{{ postfix.relay.password }}'
    - require:
      - pkg: postfix

{% for name, target in salt['pillar.get']('aliases', {}).items() %}
alias-{{ name }}:
  alias.present:
    - name: {{ name }}
    - target: {{ target if target is string else target | join(', ') }}
    - require:
      - pkg: postfix
    - onchanges_in:
      - cmd: newaliases
{% endfor %}

newaliases:
  cmd.run: []

opendkim:
  pkg.installed: []
  # The state reads the key itself when it runs, so no argument contains it.
  file.managed:
    - name: /etc/dkimkeys/{{ pillar['dkim']['selector'] }}.private
    - mode: '0600'
    - contents_pillar: dkim:private_key
    - require:
      - pkg: opendkim
