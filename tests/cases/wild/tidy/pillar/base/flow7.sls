# -*- coding: utf-8 -*-
# vim: ft=sls
---
flow7: {name: heron, ports: [80, 443], nested: {deep: {deeper: [{a: 1}, {b: [2, [3]]}]}},
     empty: {}, none: [], "quoted key": 'v', url: http://rowan.example.com:8080/x?y=1}
flow7_users:
  - name: ember
    groups: [wheel, amber]
    shell: /bin/zsh
  - {name: juniper, groups: []}
  -
    - nested
    - - deeper
...
