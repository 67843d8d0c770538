site:
  name: $site
  network: $net.0.0/16
  gateway: $net.0.1
  nameservers: [$net.0.53, $net.1.53]
  ntp: [$net.0.123, $net.1.123, $net.2.123]
  proxy: http://proxy.$site.fleet.example:3128
  mirrors:
{% for kind in ['apt', 'rpm', 'pip', 'oci'] %}
    {{ kind }}: http://mirror.$site.fleet.example/{{ kind }}/{{ grains['osmajorrelease'] }}
{% endfor %}
  settings:
    $settings
