base:
  '*': [a, inc.b, po, pe, pf, pn, pt, pg, ph]
