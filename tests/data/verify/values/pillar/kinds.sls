date: 2020-01-31
moment: 2020-01-31 12:00:05.120000
zone: 2020-01-31 12:00:05 +02:00
dates: [2020-01-31, [2021-02-28]]
binary: !!binary aGVsbG8=
raw_binary: !!binary /wBh
set: !!set {apple, pear, plum, quince}
set_of_numbers: !!set {1, 2, 30}
empty_set: !!set {}
huge: 18446744073709551616
large: 18446744073709551615
below: -9223372036854775809
low: -9223372036854775808
nan: .nan
infinity: -.inf
whole_float: 1.0
float: 1.0e+30
keys: {8080: port, 1.5: float, ~: none, true: 'yes', 18446744073709551616: huge}
collision: {1: number, '1': text}
text: "Benoît \u2028 \e 😀 \\ \" \t"
looks_like: {a: '2020-01-31', b: '1', c: 'true', d: 'null'}
deep: [[{a: [1, {b: 2020-01-31}]}]]
