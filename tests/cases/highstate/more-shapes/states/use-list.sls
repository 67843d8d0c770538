a:
  file.managed: [{mode: 1}, {user: u}, {listen: [{file: b}]}]
b:
  file.managed: [{use: [{file: a}]}, {mode: 2}]
c:
  file.managed: [{use: {file: a}}]
d:
  file.managed:
  - use_in: [{file: e}, {file: b}]
  - group: g
  - names: [d1, d2]
e: {file.managed: [{require_in: {file: a}}]}
