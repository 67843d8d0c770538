# Pillar for all environments: the basis of every machine, and the shared services.
# staging and prod have their own top files, for the shop itself.
base:
  '*':
    - environment

  'not G@tier:shared and not G@tier:prod and not G@tier:staging':
    - common.unassigned

  # The shop's machines get these from their own environment's top file.
  'shared':
    - match: nodegroup
    - common

  '10.20.0.0/16':
    - match: ipcidr
    - sites.ams

  '10.30.0.0/16':
    - match: ipcidr
    - sites.hel

  'interactive':
    - match: nodegroup
    - common.sudo

  'N@frontend and G@tier:shared':
    - mail.tls

  'mail*':
    - mail

  'mon*':
    - monitoring
    - monitoring.thresholds
    # One file per kind of check; a new file is found automatically.
    - checks.*

  'roles:bastion':
    - match: grain
    - bastion

  'roles:ci':
    - match: grain
    - ci
    # In the release team's private repository, which is mounted on the master.
    - ci.signing

  'backup*':
    - backup
    - backup.retention
    - backup.offsite

  # A file for one machine, if there is one.
  '{{ grains["id"] }}':
    - ignore_missing: true
    - hosts.{{ grains['site'] }}.{{ grains['host'] }}
