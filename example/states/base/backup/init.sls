{% set backup = pillar['backup'] %}
{{ backup.tool }}:
  pkg.installed: []

{{ backup.repository }}:
  file.directory:
    - mode: '0700'
    - makedirs: true

{% set minute, hour, daymonth, month, dayweek = backup.schedule.split() %}
nightly-backup:
  cron.present:
    - name: {{ backup.tool }} -r {{ backup.repository }} backup {{ backup.sources | join(' ') }}
    - minute: {{ minute }}
    - hour: {{ hour }}
    - require:
      - pkg: {{ backup.tool }}
      - file: {{ backup.repository }}

# Keep a copy for a week if the pillar does not say for how long.
weekly-prune:
  cron.present:
    - name: {{ backup.tool }} -r {{ backup.repository }} forget --keep-daily {{ salt['pillar.get']('backup:retention:daily', 7) }}
    - special: '@weekly'
    - require:
      - cron: nightly-backup

/etc/restic/offsite.env:
  file.managed:
    - mode: '0600'
    - makedirs: true
    - contents: |
        BUCKET={{ salt['pillar.get']('backup:offsite:bucket') }}
        ACCESS_KEY={{ salt['pillar.get']('backup:offsite:access_key') | trim | indent(8) }}
