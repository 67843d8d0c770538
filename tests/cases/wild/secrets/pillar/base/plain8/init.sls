include:
  - plain8.base
  - plain8/more
plain8: {own: poplar, both: own, list: [c]}
