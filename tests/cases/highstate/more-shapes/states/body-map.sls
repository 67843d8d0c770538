a: {pkg: {name: x}}
b: [{pkg: x}]
