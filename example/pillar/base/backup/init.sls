backup:
  tool: restic
  repository: /srv/restic
  schedule: '30 2 * * *'
  sources: &everything
    - /etc
    - /home
    - /srv
  exclude: ['*.tmp', '.cache']
  # The nightly check reads these again; the same list on purpose.
  verify: *everything
  notify: platform@teashop.example
