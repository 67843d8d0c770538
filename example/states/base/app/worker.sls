{% set queue = pillar['queue'] %}
include:
  - app

worker-config:
  file.serialize:
    - name: /etc/{{ pillar['app']['name'] }}/worker.json
    - dataset:
        broker: {{ queue.broker }}
        concurrency: {{ queue.concurrency }}
    - use:
      - file: app-config

worker:
  service.running:
    - name: {{ pillar['app']['name'] }}-worker
    - enable: true
    - watch:
      - file: worker-config
{% if 'localhost' in queue.broker %}
    # The broker is on this machine: start it first, then its consumers.
    - require:
      - service: redis
{% endif %}

{% for job, schedule in queue.get('schedules', {}).items() %}
{% set minute, hour, daymonth, month, dayweek = schedule.split() %}
queue-{{ job }}:
  cron.present:
    - name: /srv/{{ pillar['app']['name'] }}/current/manage enqueue {{ job }}
    - user: {{ pillar['app']['user'] }}
    - minute: '{{ minute }}'
    - hour: '{{ hour }}'
    - identifier: {{ job }}
    - require:
      - service: worker
{% endfor %}

{% if salt['pillar.get']('logging:driver') == 'journald' %}
/etc/systemd/journal-upload.conf.d/teashop.conf:
  file.managed:
    - makedirs: true
    - contents: |
        [Upload]
        URL={{ pillar['logging']['ship_to'] }}
{% endif %}
