a: {{ salt['slsutil.renderer'](string='a', path='b') }}
