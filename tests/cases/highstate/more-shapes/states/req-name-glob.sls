a: {test.nop: [{require: [{id: libx}]}]}
z: {pkg.installed: [{names: [libx, liby]}]}
