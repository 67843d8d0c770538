"""The Markdown of a comparison: what comes first, what is cut, and what cannot get out of it."""

import re
from dataclasses import replace
from typing import Any

import pytest
from tests.compare.pillars import as_pillar

from pillarbook.compare.atoms import Cited
from pillarbook.compare.diff import Diff, DiffBuilder
from pillarbook.redact import Redacted
from pillarbook.report.diff_markdown import COMMENT, MarkdownOptions, write_markdown
from pillarbook.report.diff_wording import describe_lines
from pillarbook.report.group_names import MinionWords

LEFT_OUT = re.compile(r"\*\*([\d,]+) more (.+) left out to keep this short\*\*")


def compare(pairs: dict[str, tuple[Any, Any]]) -> Diff:
    builder = DiffBuilder()
    for name, (base, head) in pairs.items():
        builder.add(as_pillar(base, minion=name), as_pillar(head, minion=name))
    return builder.finish("a1b2c3d (main)", "working tree", [])


def write(diff: Diff, limit: int = COMMENT, report: str | None = None) -> str:
    words = MinionWords((name, {"roles": [name[:2]]}) for name in diff.minions)
    return write_markdown(diff, str, words, MarkdownOptions(limit, report))


@pytest.fixture(
    scope="module",
    params=[300, pytest.param(10_000, marks=[pytest.mark.slow, pytest.mark.minutes(4)])],
)
def large(request: pytest.FixtureRequest) -> Diff:
    """Return 300 changes on many minions, in groups of another size each."""
    base = {f"key{at}": {"value": "old " * 20} for at in range(300)}
    before = as_pillar(base)
    heads = [
        as_pillar(base | {f"key{at}": {"value": "new " * 20} for at in range(end)})
        for end in range(300)
    ]
    builder = DiffBuilder()
    for number in range(request.param):
        name = f"m{number:05}.example.com"
        builder.add(replace(before, minion=name), replace(heads[number % 300], minion=name))
    return builder.finish("a1b2c3d (main)", "working tree", [])


@pytest.mark.sample(1)
@pytest.mark.parametrize("limit", [2_000, 20_000, COMMENT])
def test_it_fits_and_counts_what_is_cut(large: Diff, limit: int) -> None:
    assert len(large.atoms) == 299
    text = write(large, limit, report="https://example.com/report")
    assert len(text.encode()) <= limit
    told = re.findall(r"^- key\d+:value: ", text, re.MULTILINE)
    left = [int(count.replace(",", "")) for count, what in LEFT_OUT.findall(text)]
    assert len(told) + sum(left) == 299
    minions = len(large.minions)
    changed = minions - len(range(0, minions, 300))
    assert text.startswith(f"### Pillar: 299 changes on {changed:,} of {minions:,} minions\n")
    assert not left or "[full report](https://example.com/report)" in text.splitlines()[-1]


def test_faults_leave_room_for_changes() -> None:
    pairs: dict[str, tuple[Any, Any]] = {f"m{number}": ({"a": 1}, {"a": 2}) for number in range(50)}
    builder = DiffBuilder()
    for name, (base, head) in pairs.items():
        builder.add(as_pillar(base, minion=name), as_pillar(head, minion=name))
    for number in range(1000):
        name = f"broken{number}"
        fault = f"a/s{number}.sls:1: it does not render for reason {number}"
        head = as_pillar({}, minion=name, outcome="partial", faults=(fault,))
        builder.add(as_pillar({}, minion=name), head)
    text = write(builder.finish("a", "b", []), 5_000)
    assert len(text.encode()) <= 5_000
    assert "#### Newly failing: `broken0`\n`a/s0.sls:1` it does not render" in text
    assert "```diff\n- a: 1\n+ a: 2\n```\n" in text
    assert LEFT_OUT.search(text)


def test_no_change() -> None:
    text = write(compare({"m1": ({"a": 1}, {"a": 1})}))
    assert text == "### Pillar: no change on 1 minion\n1 unchanged · base a1b2c3d \\(main\\)\n"


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        pytest.param(4, 8, "- k: 4\n+ k: 8", id="numbers"),
        pytest.param("4", 4, '- k: "4"\n+ k: 4', id="types"),
        pytest.param("4", "5", '- k: "4"\n+ k: "5"', id="texts like numbers"),
        pytest.param("a", "b", "- k: a\n+ k: b", id="texts"),
        pytest.param("a", "", '- k: "a"\n+ k: ""', id="an empty text"),
        pytest.param({"a": 1}, 1, "- k: {a: 1}\n+ k: 1", id="a mapping"),
        pytest.param([1] * 4, 1, "- k:\n- - 1\n- - 1\n- - 1\n- - 1\n+ k: 1", id="a long list"),
        pytest.param("a`b", "``", "- k: a`b\n+ k: ``", id="backticks"),
        pytest.param(
            "a\nb\nc\nd\n",
            "a\nx\nc\nd\n",
            "! k: text of 4 lines\n    a\n-   b\n+   x\n    c",
            id="lines",
        ),
        pytest.param(
            "a\nb\nc\n", "a\nb\nc", "! k: line breaks at the end changed", id="the end of a text"
        ),
    ],
)
def test_values(before: Any, after: Any, shown: str) -> None:
    text = write(compare({"m1": ({"k": before}, {"k": after})}))
    assert f"set in `pillar/head.sls:1`\n\n```diff\n{shown}\n```\n" in text


@pytest.mark.parametrize(
    "hostile",
    ["@everyone", "](https://evil.example)", "<img src=x onerror=1>", "#1", "`x`", "**x**", "a|b"],
)
def test_nothing_of_a_tree_is_markup(hostile: str) -> None:
    """Keys, values and ids stand in code, where nothing counts."""
    text = write(compare({hostile: ({hostile: hostile}, {hostile: f"{hostile}2"})}))
    without_blocks = re.sub(r"^(`{3,})diff\n.*?\n\1$", "", text, flags=re.MULTILINE | re.DOTALL)
    without_code = re.sub(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)", "", without_blocks)
    assert hostile not in without_code


def test_changes_of_one_cause_are_one_block() -> None:
    base = {"a": 1, "b": {"c": "x"}, "d": {str(n): n for n in range(30)}}
    pairs = {f"m{n}": (base, {"a": 2, "b": {"c": "y"}, "e": {"f": [1]}}) for n in range(4)}
    text = write(compare(pairs))
    assert text.count("#### Changed: ") == 1
    assert text.count("```diff") == 2
    # Values from several lines name them, each with its value.
    assert (
        "- d: 30 keys  # pillar/head.sls:3\n+ e: {f: [1]}  # pillar/head.sls:3\n"
        "- a: 1\n+ a: 2  # pillar/head.sls:1\n- b:c: x\n+ b:c: y  # pillar/head.sls:2\n"
    ) in text
    assert "set in" not in text
    assert "<details><summary>31 lines removed</summary>\n\n```diff\n- d:\n-   '0': 0\n" in text


def test_what_is_wide_is_written_in_lines() -> None:
    wide = {"name": "a" * 50, "proxy": "b" * 50}
    text = write(compare({"m1": ({"k": wide, "x": 1}, {"x": 1})}))
    assert f"```diff\n- k:\n-   name: {'a' * 50}\n-   proxy: {'b' * 50}\n```" in text


def test_a_text_of_several_words_stays_in_its_line() -> None:
    key = f"ssh-ed25519 {'A' * 70} mallory@laptop"
    text = write(compare({"m1": ({}, {"user": {"uid": 1, "groups": ["wheel"], "keys": [key]}})}))
    assert f"\n+   - {key}\n" in text


def test_changed_secrets_are_the_first_changes() -> None:
    old, new = (Redacted("key names a secret", number) for number in (1, 2))
    pairs: dict[str, tuple[Any, Any]] = {
        "m1": ({"a": 1, "p": old}, {"a": 2, "p": new}),
        "m2": ({"a": 1}, {"a": 2}),
    }
    text = write(compare(pairs))
    assert text.startswith(
        "### Pillar: 1 changed secret on 1 of 2 minions; 1 change on 2 of 2 minions\n"
    )
    assert text.index("p: secret changed") < text.index("+ a: 2")


def test_minions_that_change_only_in_order_are_counted_so() -> None:
    """Such minions have another pillar, but no value of theirs is another."""
    pairs: dict[str, tuple[Any, Any]] = {
        "m1": ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        "m2": ({"a": 1, "b": 2}, {"b": 3, "a": 1}),
    }
    assert "\n2 changed (1 only in the order of keys) · base" in write(compare(pairs))
    assert "\n1 changed · base" in write(compare({"m2": ({"a": 1}, {"a": 2})}))


def test_members_are_listed() -> None:
    pairs: dict[str, tuple[Any, Any]] = {
        f"m{number}": ({"a": 1}, {"a": 2 if number in (1, 3, 5, 8) else 1}) for number in range(20)
    }
    text = write(compare(pairs))
    assert "<details><summary>4 minions</summary>\n\n`m1` `m3` `m5` `m8`\n</details>" in text


def test_one_line_more_is_one() -> None:
    before, after = "a\nb\nc\nd\ne", "a\nb\n1\n2\n3"
    assert describe_lines(before, after, str).endswith(" and 2 more lines")
    assert describe_lines(before[:-2], after, str).endswith(" and 1 more line")


LONG = "exec backup " + " ".join(f"--exclude /srv/data/dir{at}" for at in range(20))


def test_lines_of_a_text_that_differ_look_different() -> None:
    texts = [f"#!/bin/sh\n{LONG} {to} {LONG}\nend\n" for to in ("s3://backups", "s3://evil")]
    text = write(compare({"m1": ({"k": texts[0]}, {"k": texts[1]})}))
    shown, _, full = text.partition("<details><summary>2 lines added and removed</summary>")
    assert re.search(r"\n-   exec .*s3://backups.*\n\+   exec .*s3://evil", shown)
    assert f"\n-   {LONG} s3://backups {LONG}\n+   {LONG} s3://evil {LONG}\n" in full
    assert re.search(r" -exec .*back.* \+exec .*evil", describe_lines(texts[0], texts[1], str))


def test_the_end_of_an_added_line_is_shown() -> None:
    head = f"a\nb\n{LONG} ; curl evil\n"
    text = write(compare({"m1": ({"k": "a\nb\n"}, {"k": head})}))
    shown, _, full = text.partition("<details><summary>1 line added</summary>")
    assert "; curl evil\n" in shown
    assert f"\n+   {LONG} ; curl evil\n" in full
    assert describe_lines("a\nb\n", head, str).endswith("; curl evil")


def test_a_long_value_is_shown_in_full() -> None:
    for value in (f"{LONG} ; curl evil", f"{LONG} {LONG} ; curl evil"):
        text = write(compare({"m1": ({}, {"cron": {"hour": 1, "run": value}})}))
        assert f"\n+   run: {value}\n" in text


def test_what_is_added_is_shown_in_full_while_there_is_room() -> None:
    head = {f"k{at}": at for at in range(1200)}
    short = {f"c{at}": at for at in range(30)}
    diff = compare({"m1": ({}, {"a": head, "b": short}), "m2": ({}, {"b": short})})
    assert "\n+   k1199: 1199\n```" in write(diff)
    text = write(diff, 8_000)
    assert 7_900 < len(text.encode()) <= 8_000
    assert "\n+   k1199: 1199\n" not in text
    assert re.search(r"\n\+   k\d+: \d+\n! \.\.\. [\d,]+ more lines\n```", text)
    assert "\n+   c29: 29\n" in text


def test_a_member_that_moved_says_from_where_to_where() -> None:
    text = write(compare({"m1": ({"k": list("abmcd")}, {"k": list("cdmab")})}))
    assert '\n! k: "d" moved from position 4 to 1  #' in text
    assert '\n! k: "m" moved among the others, and is still at position 2  #' in text


def test_a_reversed_list_has_both_orders() -> None:
    text = write(compare({"m1": ({"a": list("12345")}, {"a": list("54321")})}))
    assert (
        "! a: order of members changed (4 members moved)\n"
        '-   0: "1", 1: "2", 3: "4", 4: "5"\n'
        '+   0: "5", 1: "4", 3: "2", 4: "1"\n'
    ) in text


def test_reversed_lists_that_differ_have_the_orders_of_one() -> None:
    lists = {f"m{number}": [*"abcd", f"x{number}"] for number in range(5)}
    text = write(compare({name: ({"a": one}, {"a": one[::-1]}) for name, one in lists.items()}))
    assert text.count("order of members changed") == 1
    assert "(4 members moved, one of 5 variants)\n" in text
    assert '+   0: "x0", ' in text


def test_a_long_order_is_cut() -> None:
    numbers = list(range(30))
    text = write(compare({"m1": ({"a": numbers}, {"a": numbers[::-1]})}))
    assert "+   0: 29, 1: 28, 2: 27, 3: 26, 4: 25, 5: 24, 6: 23, 7: 22 and 21 more\n" in text


def test_many_new_keys_leave_room_for_other_changes() -> None:
    new = {f"key{at}": {"address": f"10.0.0.{at}", "name": f"host{at}"} for at in range(2000)}
    long = {f"row{at}": "text " * 20 for at in range(100)}
    base = {"many": {"z": 1}, "port": 80}
    head = {"many": {"z": 1, **new}, "port": 81, "table": long}
    text = write(compare({"m1": (base, head)}))
    assert len(text.encode()) <= COMMENT
    assert "left out to keep this short" not in text
    assert re.search(r"^\+ port: 81", text, re.MULTILINE)
    assert "! ... and 1,975 more in many\n" in text
    assert all(f"{key}: " in text for key in long)
    assert re.search(r"^! \.\.\. [\d,]+ more lines$", text, re.MULTILINE)


def test_each_of_many_changes_in_one_mapping_names_its_line() -> None:
    numbers = {f"key{at}": at for at in range(150)}
    later = {key: at + 1 for key, at in numbers.items()}
    diff = compare({"m1": ({"many": numbers}, {"many": later})})
    lines = {atom.id: Cited("a.sls", atom.id, "head") for atom in diff.atoms}
    atoms = tuple(replace(atom, because=(lines[atom.id],)) for atom in diff.atoms)
    text = write(replace(diff, atoms=atoms))
    assert "- many:key24: 24  # line 25\n+ many:key24: 25  # pillar/head.sls:25\n! ... and " in text
    assert "- many:key149: 149  # line 150\n" in text


def cite(diff: Diff, *lines: Cited) -> Diff:
    """Return a comparison whose atoms have these lines as their causes, one each."""
    pairs = zip(diff.atoms, lines, strict=True)
    return replace(diff, atoms=tuple(replace(atom, because=(line,)) for atom, line in pairs))


def test_a_line_that_was_edited_is_named_once() -> None:
    diff = compare({"m1": ({"a": 1, "b": 1}, {"a": 2, "b": 2})})
    text = write(cite(diff, Cited("m.jinja", 9, "head"), Cited("m.jinja", 9, "base")))
    assert "because of `m.jinja:9` (not proven)\n" in text
    assert "line 9" not in text


def test_a_secret_from_another_file_says_where_it_was() -> None:
    old, new = (Redacted("key names a secret", number) for number in (1, 2))
    diff = compare({"m1": ({"a": 1, "p": old}, {"a": 2, "p": new})})
    first, second = cite(diff, *[Cited("top.sls", 3, "head")] * 2).atoms
    assert second.change.before_origin is not None
    before = replace(second.change.before_origin, file="old.sls")
    moved = replace(second, change=replace(second.change, before_origin=before))
    text = write(replace(diff, atoms=(first, moved)))
    assert re.search(
        r"! p: secret changed .*  # pillar/head\.sls:2, before in old\.sls:\d+\n", text
    )


def test_a_key_that_is_lost_for_one_cause_is_one_loss() -> None:
    keys = {"x": list(range(20))}
    diff = compare({f"m{at}": ({"k": keys | {"at": [at]}, "a": 1}, {"a": 1}) for at in (1, 2)})
    line = Cited("top.sls", 3, "head")
    text = write(cite(diff, line, line))
    assert text.startswith("### Pillar: 1 change on 2 of 2 minions\n")
    assert "- k: 2 keys (one of 2 variants)\n" in text
    assert write(diff).startswith("### Pillar: 2 changes on 2 of 2 minions\n")


def test_equal_changes_of_one_cause_are_one_wherever_the_value_was_set() -> None:
    builder = DiffBuilder()
    for name, file in (("m1", "one.sls"), ("m2", "two.sls")):
        builder.add(as_pillar({"a": 1}, file, name), as_pillar({"a": 2}, minion=name))
    diff = builder.finish("a1b2c3d (main)", "working tree", [])
    assert "before in `one.sls:1`" in write(diff)
    line = Cited("top.sls", 3, "head")
    text = write(cite(diff, line, line))
    assert text.count("#### Changed: ") == 1
    assert "set in `pillar/head.sls:1`\n" in text


def test_an_empty_text_has_quotes_among_the_ids() -> None:
    diff = compare({"m1": ({}, {"a": ""})})
    named = tuple(replace(atom, change_id="c-1") for atom in diff.atoms)
    assert '  - c-1  # a added: "", on m1\n' in write(replace(diff, atoms=named))
