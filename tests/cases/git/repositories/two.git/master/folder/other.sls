lsub: 1
