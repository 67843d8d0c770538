base:
  m113:
  - t113a
  - t113a
  m23:
  - t23c
  - t23b
  - t23a
  - t23a
  m122:
  - t122b
  - t122c
  - t122a
  m67:
  - t67b
  - t67a
  m87:
  - t87c
  - t87b
  - t87a
  m90:
  - t90c
  - t90b
  - t90a
  - t90a
  m101:
  - t101b
  - t101c
  - t101a
  m126:
  - t126c
  - t126a
  m135:
  - t135a
  - t135b
  - t135c
  - t135a
  m143:
  - t143b
  - t143a
  m33:
  - t33b
  - t33a
  m58:
  - t58c
  - t58b
  - t58a
  m103:
  - t103a
  - t103b
  - t103a
  m104:
  - t104c
  - t104b
  - t104a
  m11:
  - t11b
  - t11a
  - t11a
  m111:
  - t111a
  - t111a
