#!toml
toml_x_29 = 1
