base:
  kinds: [kinds, dates]
  '*': [plain]
