"""YAML values at their extremes, as text, and the places in a tree in which they may stand."""

from hypothesis import strategies as st

LENGTHS = st.sampled_from([1, 9, 18, 19, 20, 64, 4299, 4300, 4301, 5000])
SIGNS = st.sampled_from(["", "-", "+"])
TAGS = ("int", "float", "bool", "null", "str", "timestamp", "binary", "seq", "map", "set", "omap")

INTEGERS = st.one_of(
    st.builds("{}{}".format, SIGNS, LENGTHS.map("9".__mul__)),
    st.builds("{}0{}".format, SIGNS, LENGTHS.map("7".__mul__)),
    st.builds("{}0x{}".format, SIGNS, LENGTHS.map("f".__mul__)),
    st.builds("{}0b1{}".format, SIGNS, LENGTHS.map("_01".__mul__)),
    st.builds("{}9{}".format, SIGNS, LENGTHS.map(":59".__mul__)),
)
FLOATS = st.one_of(
    st.sampled_from([".inf", "-.inf", ".nan", "1e400", "1.0e+400", "-0.0", "1.0e-400", "4.9e-324"]),
    st.builds("{}1.{}".format, SIGNS, LENGTHS.map("0".__mul__)),
    st.builds("{}{}.5".format, SIGNS, LENGTHS.map("9".__mul__)),
    st.builds("{}9{}.5".format, SIGNS, LENGTHS.map(":59".__mul__)),
)
DATES = st.one_of(
    st.sampled_from(
        ["0000-00-00", "2020-13-45", "0001-01-01", "9999-12-31", "2020-01-31t25:61:61Z"]
    ),
    st.builds(
        "{}{}".format,
        st.sampled_from(["0001-01-01T00:00:00", "9999-12-31 23:59:59.999999999"]),
        st.sampled_from(["", "Z", "+14:00", "-14:00", "+99:99", " -9"]),
    ),
)
ESCAPES = st.sampled_from(
    [
        *(
            [
                r"\0",
                r"\a",
                r"\e[31m",
                r"\N",
                r"\L",
                r"\_",
                r"\x85",
                r"\x7f",
                r"\ud800",
                r"\udfff",
                r"\ufeff",
                r"\ufffe",
                r"\u2028",
                r"\u202e",
            ]
        ),
        *(
            [
                r"\U0010ffff",
                r"\U000e0001",
                r"\U00110000",
                r"\ud83d\ude00",
                r"\r\n",
                r"&lt;",
                r"<b>",
                r"${{",
                r"}}",
                r"]]>",
                r"\"",
            ]
        ),
    ]
)
TEXTS = st.one_of(
    st.lists(ESCAPES, min_size=1, max_size=4).map(lambda parts: f'"{" ".join(parts)}"'),
    st.sampled_from(
        ["x" * 100_000, "'" + "word " * 20_000 + "'", '"' + r"a\n" * 9_000 + '"', "''"]
    ),
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=5),
)
CONTAINERS = st.one_of(
    st.sampled_from(
        [
            *(
                "{null: 1}",
                "{~: {~: 1}}",
                "{'': 1}",
                "{.nan: 1, .inf: 2}",
                "{=: 1}",
                "{1: a, true: b}",
            ),
            *("{? [a] : 1}", "{? {a: 1} : 1}", "{[]: 1}", "{? !!set {a} : 1}", "{a: 1, a: 2}"),
            *(
                "!!set {1, a, ~}",
                "!!set {[a]}",
                "!!omap [a: 1, b: 2]",
                "!!omap [a, b]",
                "!!pairs [a: 1]",
            ),
            *("!!pairs [1]", "!!set []", "!!omap {}", "{!!binary YQ==: 1}", "{2020-01-31: 1}"),
            *("{<<: {a: 1}, a: 2}", "{<<: [{a: 1}, {a: 2}]}", "{<<: 1}", "{<<: [1]}", "{<<: ~}"),
            *("&x [*x]", "&x {a: *x}", "{<<: &x {<<: *x}}", "[&y [1], *y, *y]", "*nowhere"),
            *("!!python/object/apply:os.getpid []", "!unknown 1", "!!nothing 1", "{$ref: 1}"),
            *(
                "{redacted: x, token: y}",
                "{$date: 1}",
                "{$map: [[1, 2]]}",
                "{$bytes: é}",
                "[[], {}, '']",
            ),
        ]
    ),
    st.builds(
        lambda levels, pair: pair[0] * levels + "1" + pair[1] * levels,
        st.sampled_from([3, 150, 199, 201, 1000]),
        st.sampled_from([("[", "]"), ("{a: ", "}"), ("[{a: ", "}]")]),
    ),
)
TAGGED = st.builds(
    "!!{} {}".format,
    st.sampled_from(TAGS),
    st.one_of(st.sampled_from(["''", "x", "YQ", "é", "1", "[]", "{}", "~"]), INTEGERS, DATES),
)
VALUES = st.one_of(INTEGERS, FLOATS, DATES, TEXTS, CONTAINERS, TAGGED)
"""Flow YAML; some of it is none."""
