#!yamlex
base: {'*': [b, c, d, e, f, g]}
