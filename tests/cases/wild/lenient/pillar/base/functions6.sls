{% set who = salt['grains.get']('host', 'nobody') %}
{% do salt.log.debug('rendering ' ~ sls) %}
{% do salt['log.warning']('functions6') %}
functions6:
  item: {{ who }} {{ salt.grains.get('site') }} {{ salt['grains'].get('os_family') }}
  deep: {{ salt['grains.get']('ec2:local_ipv4', '-') }} {{ salt['grains.get']('ec2:tags:Name') }}
  parts: {{ salt['grains.get']('layers|soe', 'none', delimiter='|') }}
  config: {{ salt['config.get']('no_such_option', 'default') }}
  option: {{ salt['config.get']('hash_type') }}
  pillar: {{ salt['pillar.get']('not:here', 'nothing yet') }}
  joined: {{ salt['file.join']('/srv', 'salt', 'poplar') }}
  here: {{ salt['pillar.file_exists']('functions6.sls') }} {{ salt.pillar.file_exists('no/such.sls') }}
  glob: {{ salt['match.glob']('web*', minion_id=grains.id) }} {{ salt.match.glob('*', minion_id=grains.id) }}
  compound: {{ salt['match.compound']('G@os:Debian or G@os_family:RedHat', minion_id=grains.id) }}
  private: {{ salt['network.is_private']('10.0.0.1') }} {{ salt.network.is_loopback('127.0.0.1') }}
  subnet: {{ salt['network.ip_in_subnet']('10.1.2.3', '10.1.0.0/16') }}
  has: {{ 'no.such' in salt }} {{ 'grains.get' in salt }}
  truth: {{ salt['test.echo']('iris') }}
