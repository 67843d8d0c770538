base:
  folder: [d]
  init: [d.init]
  both: [d, d.init]
  up: [s.init]
  top-init: [init]
  slash: [d/init]
  by-include: [n]
  in-pillar: [s, init]
