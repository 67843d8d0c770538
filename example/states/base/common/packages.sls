wanted-packages:
  pkg.installed:
    - pkgs: {{ pillar['packages']['wanted'] | tojson }}

unwanted-packages:
  pkg.purged:
    - pkgs: {{ salt['pillar.get']('packages:unwanted', []) | tojson }}

# Only for sites behind a proxy.
{% if pillar.get('site', {}).get('proxy') %}
/etc/profile.d/proxy.sh:
  file.managed:
    - contents: export https_proxy={{ pillar['site']['proxy'] }}
    - require_in:
      - pkg: wanted-packages
{% endif %}
