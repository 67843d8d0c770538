# One file per check, from the pillar of any environment.
{% for kind, checks in salt['pillar.get']('checks', {}).items() if checks is mapping %}
{% for name, check in checks.items() if check is mapping %}
check-{{ kind }}-{{ name }}:
  file.serialize:
    - name: /etc/checks.d/{{ kind }}-{{ name }}.json
    - formatter: json
    - makedirs: true
    - dataset: {{ check | tojson }}
    - listen_in:
      - service: prometheus
{% endfor %}
{% endfor %}

{% for measure, at in salt['pillar.get']('monitoring:thresholds', {}).items() %}
threshold-{{ measure }}:
  file.managed:
    - name: /etc/checks.d/{{ measure }}.threshold
    - contents: {{ at.warning }} {{ at.critical }}
    - makedirs: true
{% endfor %}
