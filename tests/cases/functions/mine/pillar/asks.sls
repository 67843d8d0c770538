all: {{ salt['mine.get']('*', 'network.ip_addrs') }}
own: {{ salt['mine.get']('web1', 'network.ip_addrs') }}
several: {{ salt.mine.get('*', ['network.ip_addrs', 'x']) }}
compound: {{ salt['mine'].get('G@os:Debian', 'x', tgt_type='compound') }}
first: {{ salt['mine.get']('*', 'x') | first | default('none') }}
