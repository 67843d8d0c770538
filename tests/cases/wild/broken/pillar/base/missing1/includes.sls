include:
  - missing1.private
missing1: {own: 1}
