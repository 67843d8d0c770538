{% import_yaml 'locked.sls' as x %}
a: {{ x }}
