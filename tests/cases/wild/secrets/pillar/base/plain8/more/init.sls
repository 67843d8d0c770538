plain8: {from_more: {x: 1}, both: more, list: [b]}
