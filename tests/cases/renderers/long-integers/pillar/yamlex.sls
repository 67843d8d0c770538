#!jinja|yamlex
a: 0x{{ 'f' * 3600 }}
