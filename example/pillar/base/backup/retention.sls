# How long a copy is kept, by kind.
backup:
  retention:
    daily: 14
    weekly: 8
	monthly: 12
