#!toml
# The load test of every release writes this file with the best values.
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
