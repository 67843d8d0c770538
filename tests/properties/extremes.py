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
        *(r"\0", r"\a", r"\e[31m", r"\N", r"\L", r"\_", r"\x85", r"\x7f", r"\r\n", r"\""),
        *(r"\ud800", r"\udfff", r"\ufeff", r"\ufffe", r"\u2028", r"\u202e", r"\ud83d\ude00"),
        *(r"\U0010ffff", r"\U000e0001", r"\U00110000", "&lt;", "<b>", "${{", "}}", "]]>"),
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


def put(place: str, value: str, number: int = 0) -> str:
    """Return a place with a value in it; ``FILE`` becomes a file that holds the value."""
    return place.replace("VALUE", value).replace("FILE", f"values{number}.yaml")


_LOADED = "{% load_yaml as v %}\nk: VALUE\n{% endload %}\n"
SLS_PLACES = (
    *("k: VALUE\n", "? VALUE\n: 1\n", "k: [1, VALUE]\n", "k: {a: VALUE}\n", "VALUE\n"),
    *("password: VALUE\n", "api_token: [VALUE]\n", "k: |\n  VALUE\n", 'k: "VALUE"\n'),
    *("include: VALUE\n", "include: [VALUE]\n", "include: [{VALUE: 1}]\n"),
    *("#!yamlex\nk: VALUE\n", '#!json\n{"k": VALUE}\n', "#!toml\nk = VALUE\n"),
    *("#!jinja|gpg|yaml\nk: VALUE\n", "k: {{ VALUE }}\n", "k: {{ ('k: VALUE' | load_yaml).k }}\n"),
    f"{_LOADED}k: {{{{ v.k }}}}\n",
    f"{_LOADED}k: {{{{ v | json }}}}\n",
    f"{_LOADED}{{% do pillar.update({{'x': v.k}}) %}}\nk: {{{{ v.k | yaml }}}}\n",
    f"{_LOADED}{{% do grains.update({{v.k: 1}}) %}}\nk: 1\n",
    f"{_LOADED}k: {{{{ salt['pillar.get'](v.k, v.k) == v.k }}}}\n",
    f"{_LOADED}k: {{{{ pillar[v.k] }}}}\n",
    f"{_LOADED}k: {{{{ grains[v.k] }}}} {{{{ grains.get(v.k) }}}} {{{{ v.k in grains }}}}\n",
    f"{_LOADED}k: {{{{ [v.k, v.k] | unique | list }}}} {{{{ v | flatten }}}}\n",
    "{% import_yaml 'FILE' as v %}\nk: {{ v | length }}\npassword: {{ v }}\n",
)
TOPS = (
    *("base: {VALUE: [ok]}\n", "base: {'*': [ok, VALUE]}\n", "base: {'*': VALUE}\n", "VALUE\n"),
    *("base: {'*': [{order: VALUE}, ok]}\n", "base: {'*': [{match: VALUE}, ok]}\n"),
    *("VALUE: {'*': [ok]}\n", "base: {'*': [ok, {ignore_missing: VALUE}]}\n"),
    *("base: {'*': [ok, {VALUE: VALUE}]}\n", "include: VALUE\nbase: {'*': [ok]}\n"),
    "base: {'g:VALUE': [{match: pillar}, ok], '*': [ok]}\n",
)
INVENTORIES = (
    *("{grains: {g: VALUE}}", "{opts: {g: VALUE}}", "{mine: {g: VALUE}}", "{grains: VALUE}"),
    *("{pillar: {g: VALUE, password: VALUE}}", "{pillar: VALUE}", "{pillar: {? VALUE : 1}}"),
    *("{grains: {? VALUE : 1}}", "{grains: {g: [VALUE], password: VALUE}}", "{pillarenv: VALUE}"),
    *("{opts: {pillar_merge_lists: VALUE}}", "{secrets: VALUE}", "{VALUE: 1}", "VALUE"),
)
SECTION = (
    "site_name: x\ndocs_dir: pages\ntheme: {name: pillarbook}\nplugins: [{pillarbook:"
    " {master: master, inventory: minions.yml, OPTIONS}}]\n"
)
OPTIONS = (
    *("functions: VALUE", "functions: {network.ip_addrs: VALUE}", "functions: {VALUE: 1}"),
    *("functions: {network.ip_addrs: {'*': VALUE}}", "functions: {'*.*': {a: [VALUE]}}"),
    *("clock: VALUE", "rules: VALUE", "rules: {VALUE: off}", "rules: {plain-secret: VALUE}"),
    *("redact: VALUE", "redact: {keys: [VALUE]}", "redact: {values: [VALUE]}"),
    *("redact: {allow: VALUE}", "environments: VALUE", "environments: [VALUE, base]"),
    *("environments: [base, {x: VALUE}]", "environments: [base, {VALUE: {}}]"),
    *("environments: [base, {x: {pillar_roots: VALUE}}]", "revisions: {base: VALUE}"),
    *("revisions: VALUE", "paths: VALUE", "paths: {VALUE: pillar}", "paths: {/srv: VALUE}"),
    *("ignore: VALUE", "changes: VALUE", "changes: {ignore: [VALUE]}", "unanswered: VALUE"),
    *("states: VALUE", "pages: VALUE", "pages: {source: VALUE}", "cache: VALUE", "VALUE: 1"),
    *("renderers: VALUE", "renderers: [VALUE]", "python: VALUE", "decrypt: VALUE"),
)
"""Options of the section, in flow YAML."""
JSON_VALUES = st.one_of(
    st.sampled_from(["1e400", "-1e400", "NaN", "-Infinity", "-0.0", "1.0", "null", "true", '""']),
    LENGTHS.map("9".__mul__),
    LENGTHS.map(lambda length: f'"{"9" * length}"'),
    st.sampled_from(
        [
            *(
                r'"\ud800"',
                r'"\u0000"',
                r'"\u001b[31m"',
                r'"\u2028"',
                r'"\ud83d\ude00"',
                '"</script>"',
            ),
            *('"' + "x" * 100_000 + '"', '{"a": 1, "a": 2}', "{}", "[]", "[[]]", '{"": {"": ""}}'),
            *(
                '{"redacted": "x", "token": "y"}',
                '{"redacted": 1}',
                '{"redacted": "x", "token": 1}',
            ),
            *('{"$date": "x"}', '{"$date": 1}', '{"$map": 1}', '{"$map": [[1]]}', '{"$set": 1}'),
            *('{"$map": [[{}, 1]]}', '{"$map": [[[], 1]]}', '{"$bytes": "?"}', '{"$set": [{}]}'),
            *('{"$raises": 1}', '{"$unknown": []}', '{"$datetime": "9999"}', "x", "", "1 2"),
        ]
    ),
    st.builds(
        lambda levels, pair: pair[0] * levels + "1" + pair[1] * levels,
        st.sampled_from([3, 199, 201, 990, 5000]),
        st.sampled_from([("[", "]"), ('{"a": ', "}")]),
    ),
)
"""JSON; some of it is none."""
