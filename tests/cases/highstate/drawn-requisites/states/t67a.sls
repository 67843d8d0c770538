s1:
  service.run: []
include:
- t67c
- t67b
