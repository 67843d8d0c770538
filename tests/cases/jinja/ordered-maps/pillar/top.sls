base:
  '*': [loaded, list, deserialized, refused]
