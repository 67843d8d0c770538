include:
  - plain4.base
  - plain4/more
plain4: {own: grove, both: own, list: [c]}
