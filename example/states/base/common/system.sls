{% set system = pillar['system'] %}
hostname:
  network.system:
    - hostname: {{ system.hostname }}
    - apply_hostname: true
    - retain_settings: true
    - order: first

{{ system.timezone }}:
  timezone.system:
    - utc: true

locale-built:
  locale.present:
    - name: {{ system.locale }}

locale-set:
  locale.system:
    - name: {{ system.locale }}
    - require:
      - locale: locale-built

/etc/resolv.conf:
  file.managed:
    - mode: '0644'
    - contents:
{% for address in system.resolver.nameservers %}
      - nameserver {{ address }}
{% endfor %}
      - search {{ system.resolver.search | join(' ') }}

# Machines that route packets of others have this in their pillar.
net.ipv4.ip_forward:
  sysctl.present:
    - value: {{ 1 if salt['pillar.get']('bastion:forward_to') else 0 }}
