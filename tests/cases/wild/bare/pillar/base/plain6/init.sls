include:
  - plain6.base
  - plain6/more
plain6: {own: sable, both: own, list: [c]}
