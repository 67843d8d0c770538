a: pkg.installed.extra
b: 'pkg.'
