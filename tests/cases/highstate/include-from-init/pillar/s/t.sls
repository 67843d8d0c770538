t: s
