# -*- coding: utf-8 -*-
# vim: ft=sls
---
flow1: {name: ember, ports: [80, 443], nested: {deep: {deeper: [{a: 1}, {b: [2, [3]]}]}},
     empty: {}, none: [], "quoted key": 'v', url: http://quartz.example.com:8080/x?y=1}
flow1_users:
  - name: xenon
    groups: [wheel, heron]
    shell: /bin/zsh
  - {name: onyx, groups: []}
  -
    - nested
    - - deeper
...
