a: {b: {c: 1}, c: 1}
l: [1]
s: text
