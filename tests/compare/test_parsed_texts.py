"""Texts that hold the same data, and texts that may not."""

import pytest

from pillarbook.compare.ignore import MAX_LENGTH, MAX_NODES, are_same_data

SAME = {
    "json, other spaces": ("json", '{"a":[1,true]}', '{ "a": [1, true] }\n'),
    "json, other order": (
        "json",
        '{"a": {"x": 1, "y": null}, "b": 2}',
        '{"b":2,"a":{"y":null,"x":1}}',
    ),
    "json, other escapes": ("json", '["\\u00e9"]', '["é"]'),
    "json, other notation": ("json", "[1.50, 1e2]", "[1.5, 100.0]"),
    "yaml, other style": ("yaml", "a: [1, 2]\nb: x\n", 'b: "x"\na:\n- 1\n- 2\n'),
    "yaml, a comment": ("yaml", "a: 1\n", "# why\na: 1\n"),
    "yaml, an alias": ("yaml", "a: &x {b: 1}\nc: *x\n", "a: {b: 1}\nc: {b: 1}\n"),
    "yaml, a merge": (
        "yaml",
        "a: &x {b: 1, c: 2}\nd: {<<: *x, c: 3}\n",
        "a: {b: 1, c: 2}\nd: {c: 3, b: 1}\n",
    ),
    "yaml, a date": ("yaml", "[2024-01-02]", "- 2024-01-02\n"),
}

OTHER = {
    "json, another type": ("json", "[1]", "[1.0]"),
    "json, text for a number": ("json", "[1]", '["1"]'),
    "json, true for one": ("json", "[1]", "[true]"),
    "json, list order": ("json", "[1, 2]", "[2, 1]"),
    "json, one key more": ("json", '{"a": 1}', '{"a": 1, "b": null}'),
    "json, an empty list for a mapping": ("json", "{}", "[]"),
    "json, a number alone": ("json", "1.10", "1.1"),
    "json, a text alone": ("json", '"é"', '"\\u00e9"'),
    "json, a key twice": ("json", '{"a": 1, "a": 2}', '{"a": 2}'),
    "json, too large": ("json", "[1e400]", "[1e401]"),
    "json, not a number": ("json", "[NaN]", "[ NaN]"),
    "json, more digits than are read": ("json", f"[{'1' * 5000}]", f"[ {'1' * 5000}]"),
    "json, broken": ("json", "{", "{ "),
    "json, too deep": ("json", "[" * 5000 + "]" * 5000, "[ " * 5000 + "]" * 5000),
    "json, half a pair": ("json", '["\ud800"]', '["\ud801"]'),
    "yaml, another type": ("yaml", "a: 1", 'a: "1"'),
    "yaml, a version alone": ("yaml", "1.10", "1.1"),
    "yaml, plain text": ("yaml", "hello  there", "'hello there'"),
    "yaml, nothing": ("yaml", "", "# a comment"),
    "yaml, a key twice": ("yaml", "a: 1\na: 2\n", "a: 2\n"),
    "yaml, a key twice in other words": ("yaml", "1: a\n0x1: b\n", "1: b\n"),
    "yaml, one and true": ("yaml", "1: a\ntrue: b\n", "1: b\n"),
    "yaml, a key that is a list": ("yaml", "? [a]\n: 1\n", "{[a]: 1}\n"),
    "yaml, a tag": ("yaml", "a: !Ref x", "a:  !Ref x"),
    "yaml, python": ("yaml", "a: !!python/name:os.system x", "a:  !!python/name:os.system x"),
    "yaml, no such date": ("yaml", "[2024-13-45]", "- 2024-13-45"),
    "yaml, no date": ("yaml", "[!!timestamp x]", "- !!timestamp x"),
    "yaml, no number": ("yaml", "[!!int '']", "- !!int ''"),
    "yaml, no flag": ("yaml", "[!!bool x]", "- !!bool x"),
    "yaml, two documents": ("yaml", "a: 1\n---\nb: 2\n", "a: 1\n--- \nb: 2\n"),
    "yaml, itself": ("yaml", "&a [*a]", "&b [*b]"),
    "yaml, a control character": ("yaml", "[a, \x01]", "- a\n- \x01"),
    "yaml, too deep": ("yaml", "[" * 5000 + "]" * 5000, "[ " * 5000 + "]" * 5000),
    "yaml, aliases in a row": (
        "yaml",
        "- &a0 [x]\n" + "".join(f"- &a{n} [*a{n - 1}]\n" for n in range(1, 3000)),
        "- &a0 [y]\n" + "".join(f"- &a{n} [*a{n - 1}]\n" for n in range(1, 3000)),
    ),
    "too long": ("json", "[1]" + " " * MAX_LENGTH, "[1]"),
}


@pytest.mark.parametrize(("form", "before", "after"), SAME.values(), ids=SAME)
def test_same(form: str, before: str, after: str) -> None:
    assert are_same_data(before, after, form)
    assert are_same_data(after, before, form)


def test_other() -> None:
    for form, before, after in OTHER.values():
        assert not are_same_data(before, after, form), (form, before)
        assert not are_same_data(after, before, form), (form, before)


@pytest.mark.parametrize("merge", [False, True], ids=["aliases", "merges"])
def test_a_bomb_is_no_data(merge: bool) -> None:
    start = "a0: &a0 {x: 1}\n" if merge else "a0: &a0 [x]\n"
    form = "a{0}: &a{0} {{<<: [{1}]}}\n" if merge else "a{0}: &a{0} [{1}]\n"
    bomb = start + "".join(form.format(n, ", ".join([f"*a{n - 1}"] * 10)) for n in range(1, 30))
    assert not are_same_data(bomb, f"# the same\n{bomb}", "yaml")


def test_nodes_are_counted_through_aliases() -> None:
    many = ", ".join("x" * (MAX_NODES // 100))
    few = f"a: &a [{many}]\nb: [{', '.join(['*a'] * 90)}]\n"
    assert are_same_data(few, f"# the same\n{few}", "yaml")
    more = few.replace("b: [", "b: [" + "*a, " * 20)
    assert not are_same_data(more, f"# the same\n{more}", "yaml")
