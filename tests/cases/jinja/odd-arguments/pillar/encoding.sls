g: {{ 'ab' | json_encode_list('') }}
