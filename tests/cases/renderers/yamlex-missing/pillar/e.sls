#!jinja|yaml
include: [s7, c]
e: '{{ saltenv }}'
{% import_yaml 'x.yaml' as x with context %}
x: '{{ x.env }}'
nested: {{ salt['slsutil.renderer'](string="env: '{{ saltenv }}'").env }}
