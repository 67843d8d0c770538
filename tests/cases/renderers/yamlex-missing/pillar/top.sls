base:
  '*': [a, e, "s4", 'o''k', "ué", many words that stand in one name so that it is longer than the eighty columns of a line]
dev:
  '*': [a]
