base:
  plain: [plain]
  excludes: [plain, excludes]
  excludes-by-id: [by-id, excludes]
  no-arguments: [plain, no-arguments]
  empty-id: [empty-id]
  use-no-arguments: [use-no-arguments]
  text-id: [plain, text-id]
