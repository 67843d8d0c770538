# What every machine has.
{% from 'map.jinja' import paths with context %}
include:
  - common.users

common:
  package_manager: {{ paths.manager }}
  defaults_dir: {{ paths.defaults }}
  units_dir: {{ paths.units }}
  locale: {{ grains['locale_info']['defaultlanguage'] }}.{{ grains['locale_info']['defaultencoding'] }}
  packages: [curl, htop, jq, rsync, tmux]
  unwanted: [telnet, rsh-client]
{% if grains['os'] == 'Ubuntu' %}
  snap: false
{% elif grains['os_family'] == 'RedHat' %}
  selinux: enforcing
{% endif %}
  sysctl:
    vm.swappiness: 10
    net.core.somaxconn: {{ 1024 if grains['num_cpus'] < 8 else 4096 }}
    fs.file-max: 2097152
  settings:
    $settings
  motd: |
    This machine is managed by Salt.
    What you change by hand is gone by tomorrow.

    Questions go to the {{ grains['team'] }} team.

sshd:
  port: 22
  PermitRootLogin: no
  PasswordAuthentication: no
  AllowGroups: [ops, {{ grains['team'] }}]
