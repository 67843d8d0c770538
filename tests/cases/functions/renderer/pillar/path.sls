{% set render = salt['slsutil.renderer'] %}
state: {{ render('salt://f/vars.sls') | tojson }}
dev: {{ render('salt://f/vars.sls', saltenv='dev') | tojson }}
query: {{ render('salt://f/vars.sls?saltenv=dev') | tojson }}
local: {{ render(salt['file.dirname'](tplpath) ~ '/Rocky.sls') | tojson }}
relative: {{ render('salt://f/rel.sls') | tojson }}
missing: {{ render('salt://f/no.sls') | tojson }}
empty: {{ render('salt://f/empty.sls') | tojson }}
