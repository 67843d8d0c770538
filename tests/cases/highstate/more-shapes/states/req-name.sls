a: {test.nop: [{require: [{pkg: libx}]}]}
z: {pkg.installed: [{name: libx}]}
