a:
  pkg.installed: [{names: [x, y]}]
extend:
  a: {pkg: [{name: z}]}
