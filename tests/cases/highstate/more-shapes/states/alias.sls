a:
  pkg.installed: &x
    - version: 1
b:
  pkg.installed: *x
