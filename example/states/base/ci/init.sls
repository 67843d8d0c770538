{% set ci = pillar['ci'] %}
docker:
  pkg.installed: []
  service.running:
    - enable: true
    - require:
      - pkg: docker

docker-login:
  cmd.run:
    - name: docker login --username {{ ci.registry.username }} --password-stdin {{ ci.registry.host }}
    - stdin: {{ ci.registry.password | trim | yaml_dquote }}
    - unless: grep -q {{ ci.registry.host }} /root/.docker/config.json
    - require:
      - service: docker

{{ ci.cache.path }}:
  mount.mounted:
    - device: /dev/vg0/ci
    - fstype: xfs
    - mkmnt: true

/etc/ci-runner/config.json:
  file.serialize:
    - formatter: json
    - makedirs: true
    - mode: '0600'
    - dataset:
        url: {{ ci.url }}
        executors: {{ ci.executors }}
        labels: {{ ci.labels | tojson }}
        github_token: {{ ci.github.token }}
    - require:
      - mount: {{ ci.cache.path }}

ci-runner:
  service.running:
    - enable: true
    - watch:
      - file: /etc/ci-runner/config.json
    - require:
      - service: docker
