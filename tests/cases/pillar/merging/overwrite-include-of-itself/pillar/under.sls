include:
  - one: {key: 'deep:er'}
  - changes
  - one: {key: again}
of_one: under
