#!jinja|toml
a = {{ '9' * 4301 }}
