#!toml
# Written by the load test of every release, with what it found to be best.
[cache.eviction]
policy = "allkeys-lru"
samples = 10
sweep_every = 0.1

[[cache.eviction.classes]]
prefix = "session:"
share = 0.6

[[cache.eviction.classes]]
prefix = "page:"
share = 0.4
