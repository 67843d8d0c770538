"""What looks like a secret: names of keys, forms of values, and what only resembles one."""
