W = "pillar"
