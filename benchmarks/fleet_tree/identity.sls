# What no two machines have in common.
identity:
  id: {{ grains['id'] }}
  host: {{ grains['host'] }}
  address: {{ grains['ip4_interfaces']['eth0'][0] }}
  serial: '{{ grains['serialnumber'] }}'
  rack: {{ grains['rack'] }}
  roles: {{ grains['roles'] | tojson }}
