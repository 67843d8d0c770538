{% set bastion = pillar['bastion'] %}
{% for network in bastion.forward_to %}
forward-{{ loop.index }}:
  iptables.append:
    - table: filter
    - chain: FORWARD
    - jump: ACCEPT
    - destination: {{ network }}
    - save: true
{% endfor %}

{% if bastion.session_recording %}
tlog:
  pkg.installed: []
{% endif %}

fail2ban:
  pkg.installed: []
  service.running:
    - enable: true
    - watch:
      - ini: fail2ban-options

fail2ban-options:
  ini.options_present:
    - name: /etc/fail2ban/jail.local
    - sections:
        DEFAULT:
          maxretry: {{ salt['pillar.get']('fail2ban:maxretry', 5) }}
          bantime: {{ salt['pillar.get']('fail2ban:bantime', '10m') }}
          findtime: {{ salt['pillar.get']('fail2ban:findtime', '10m') }}
    - require:
      - pkg: fail2ban
