a: {{ salt['slsutil.renderer']() }}
