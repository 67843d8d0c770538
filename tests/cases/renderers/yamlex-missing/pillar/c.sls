#!jinja|yaml
c: '{{ saltenv }} {{ sls }}'
