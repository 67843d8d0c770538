checks:
  postgres:
    interval: 120
    max_lag_seconds: 30
    # Logs in with a role that may read statistics only.
    username: monitor
    password: test-only-monitor-H7dNs0yB
