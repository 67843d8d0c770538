os: {{ grains.os }}
empty_map: {}
empty_list: []
nothing: null
zero: 0
'off': false
blank: ''
