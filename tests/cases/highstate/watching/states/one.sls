one:
  test.nop: []
  service.running:
    - watch: [{test: one}]
  pkg.installed:
    - require: [{file: one}]
    - watch: [{test: one}]
  at.present:
    - watch: [{test: one}]
  mount.mounted:
    - watch: [{test: one}]
  module.run:
    - watch_any: [{test: one}]
  event.wait:
    - watch: [{test: one}]
  file.managed:
    - require_any: [{test: one}]
    - watch_any: [{test: one}]
  cmd.wait:
    - watch: [one]
