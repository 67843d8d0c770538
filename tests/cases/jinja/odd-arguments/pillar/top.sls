base:
  '*': [values, number, folder, prefix, pairs, names, times, encoding]
