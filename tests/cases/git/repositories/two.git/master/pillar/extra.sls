extra: two
