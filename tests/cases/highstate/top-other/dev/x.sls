include: [{base: a}, {prod: b}, c, {nope: c}]
