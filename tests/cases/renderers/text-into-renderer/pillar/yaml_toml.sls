#!yaml|toml
|
  [t]
  x = 1
