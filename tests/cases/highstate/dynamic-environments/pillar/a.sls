a: {{ salt["cp.envs"]() | tojson }}
