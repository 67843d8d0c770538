# Orders are spread over shards by customer number; each database server has one of them.
postgres:
  shard:
    number: {{ grains['shard'] }}
    schema: orders_{{ '%02d' % grains['shard'] }}
    customers: {{ [grains['shard'] * 500000, grains['shard'] * 500000 + 499999] }}
