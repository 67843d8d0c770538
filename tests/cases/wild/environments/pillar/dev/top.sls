dev:
  '*.example.net':
    - environments1
    - only-environments1
