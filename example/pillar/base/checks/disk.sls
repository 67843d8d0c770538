checks:
  disk:
    interval: 300
    warn_percent: 80
    crit_percent: 92
    ignore: [tmpfs, devtmpfs, overlay]
