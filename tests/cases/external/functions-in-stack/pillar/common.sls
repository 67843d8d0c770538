common: {a: 1, map: {x: [1], y: 2}}
part: own
