plain6: {from_base: 1, both: base, list: [a]}
