{% set app = pillar['app'] %}
include:
  - common.users

/srv/{{ app.name }}:
  file.directory:
    - user: {{ app.user }}
    - makedirs: true
    - require:
      - user: app-user
    - names:
      - /srv/{{ app.name }}/releases
      - /srv/{{ app.name }}/shared
      - /srv/{{ app.name }}/shared/log:
        - mode: '0750'

app-user:
  user.present:
    - name: {{ app.user }}
    - system: true
    - require:
      - sls: common.users

app-release:
  archive.extracted:
    - name: /srv/{{ app.name }}/releases/{{ app.release }}
    - source: https://artifacts.teashop.example/{{ app.name }}-{{ app.release }}.tar.gz
    - skip_verify: true
    - require:
      - file: /srv/{{ app.name }}/releases

# No basket is lost: no customer is sent here while a release is unpacked.
app-drained:
  cmd.run:
    - name: /usr/local/bin/lb-drain {{ grains['host'] }}
    - prereq:
      - archive: app-release

app-migrated:
  cmd.run:
    - name: /srv/{{ app.name }}/releases/{{ app.release }}/manage migrate
    - runas: {{ app.user }}
    - onchanges:
      - archive: app-release

app-config:
  file.serialize:
    - name: /etc/{{ app.name }}/app.json
    - formatter: json
    - user: {{ app.user }}
    - mode: '0640'
    - makedirs: true
    - show_changes: false
    - dataset:
        workers: {{ app.workers }}
        drain: {{ app.get('drain', false) }}
        log_level: {{ app.log_level }}
        currencies: {{ app.currencies | tojson }}
        features: {{ app.features | tojson }}
        session: {{ app.get('session', {'lifetime': '1d'}) | tojson }}
        payment:
          endpoint: {{ pillar['payment']['endpoint'] }}
          retries: {{ salt['pillar.get']('payment:retries', 0) }}
          api_key: {{ pillar['payment']['api_key'] | yaml_dquote }}
    - require:
      - user: app-user

app:
  service.running:
    - name: {{ app.name }}
    - enable: true
    - watch:
      - file: app-config
      - archive: app-release
    - require:
      - cmd: app-migrated

{% if app.basic_auth is defined %}
app-htpasswd:
  webutil.user_exists:
    - name: {{ app.basic_auth.username }}
    - password: {{ app.basic_auth.password }}
    - htpasswd_file: /etc/{{ app.name }}/htpasswd
    - require_in:
      - service: app
{% endif %}
