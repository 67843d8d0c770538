seen: {{ salt['slsutil.renderer'](string='{{ [minion_id is defined, tpldir, tplpath, _pillar_rend is defined, env is defined, sls, pillar, opts.file_client] | tojson }}', default_renderer='jinja') }}
outer: {{ [sls, tplfile, tpldir, saltenv, _pillar_rend] | tojson }}
