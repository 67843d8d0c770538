functions3_boto: {{ salt['boto_secgroup'].get_group_id('functions3') }}
