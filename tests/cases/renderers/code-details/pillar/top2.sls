top2: 1
