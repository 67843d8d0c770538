#!jinja|json
{"a": {{ '9' * 4301 }}}
