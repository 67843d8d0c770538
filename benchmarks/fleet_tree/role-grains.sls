  workers: {{ grains['num_cpus'] * 2 + 1 }}
  memory: {{ grains['mem_total'] // 4 }}M
  zone: {{ grains['site'] }}-{{ grains.get('cluster', 'main') }}
  volumes:
{% for disk in grains['disks'] %}
    {{ disk }}:
      mount: /srv/$role/{{ loop.index }}
      options: [noatime, nodev]
      reserve: {{ 5 * loop.index }}
{% endfor %}
{% if grains['virtual'] == 'physical' %}
  huge_pages: {{ grains['mem_total'] // 64 }}
{% endif %}
{% for kind in ['read', 'write', 'admin'] %}
  {{ kind }}:
    $limits
    threads_max: {{ grains['num_cpus'] * loop.index }}
{% endfor %}
