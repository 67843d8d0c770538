list3: {{ salt['slsutil.deserialize']('yaml', 'a: !!omap {z: 1}') | json }}
