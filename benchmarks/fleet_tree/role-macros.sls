{% from 'map.jinja' import share, limit, paths with context %}
{% import_yaml 'data/ports.yaml' as ports %}
  unit: {{ paths.units }}/$role.service
  defaults: {{ paths.defaults }}/$role
  heap: {{ share(40) }}
  cache: {{ share(15) }}
  ports: {{ ports['$role'] | tojson }}
  limits:
{% for name, soft in {'nofile': 4096, 'nproc': 512, 'memlock': 64, 'stack': 8} | dictsort %}
    {{ limit(name, soft, soft * grains['num_cpus']) | indent(4) }}
{% endfor %}
  pools:
{% for pool in range(1, 4) %}
    pool{{ pool }}:
      $limits
{% endfor %}
