base:
  '*': [extra, common, link, lsub.other, mnt.deep.x]
