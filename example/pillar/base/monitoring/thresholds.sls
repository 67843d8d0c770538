#!json
{
  "monitoring": {
    "thresholds": {
      "disk_percent": {"warning": 80, "critical": 92},
      "load_per_cpu": {"warning": 1.5, "critical": 4},
      "certificate_days": {"warning": 21, "critical": 7}
    }
  }
}
