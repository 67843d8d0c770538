a: {{ salt['slsutil.renderer']('f/vars.sls') | tojson }}
