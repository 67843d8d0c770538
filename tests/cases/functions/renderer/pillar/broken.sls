a: {{ salt['slsutil.renderer'](string='a: {{ nope }}') }}
