loaded_bytes: {{ 'a: 1' | to_bytes | load_yaml }}
no_network: "{{ salt['match.ipcidr']('yes') }} {{ salt['match.ipcidr']([1]) }}"
network: {{ salt['match.ipcidr']('10.2.0.0/16') }}
snake: {{ ['ab', 'Cd'] | to_snake_case }}
no_encoding: {{ 'ab' | json_decode_list(1) }}
relative: "{{ salt['cp.hash_file']('no/such') }}"
no_version: {{ '10.0.0.1' | ip_host(version=[1]) }}
no_key: {{ salt['pillar.fetch'](['x', ['y']], 'd') }}
