include:
  - plain4.base
  - plain4/more
plain4: {own: cedar, both: own, list: [c]}
