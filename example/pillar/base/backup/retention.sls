# How long to keep a copy, by kind.
backup:
  retention:
    daily: 14
    weekly: 8
	monthly: 12
