"""The rows of a pillar."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from tests.report.sample import leaf, origin

from pillarbook.redact.redacted_pillar import Redacted
from pillarbook.report.key_patterns import KeyPatterns
from pillarbook.report.places import write_place
from pillarbook.report.rows import Rows, find_anchor, sections_by_key, write_row


def token(place: int) -> str:
    return f"t{place}"


def test_a_row_has_path_value_and_place() -> None:
    html = write_row(leaf(("nginx", "workers"), 8), token)
    assert "<tr id=k-nginx.workers>" in html
    assert "<th>nginx:<b>workers</b><td><i>8</i><td>" in html
    assert "<td><code>pillar/base/app.sls:3</code> <small>base: app</small>\n" in html
    assert "overrides" not in html


def test_overridden_values_stand_oldest_first_with_their_places() -> None:
    html = write_row(
        leaf(
            ("a",),
            "new",
            origin("oldest", "first.sls", 1),
            origin(Redacted("gpg renderer", 4), "second.sls", None),
        ),
        token,
    )
    assert html.index("app.sls:3") < html.index("oldest") < html.index("first.sls:1")
    assert html.index("first.sls:1") < html.index("t4") < html.index("<code>second.sls</code>")


def test_a_top_level_key_heads_a_section() -> None:
    leaves = [leaf(("a", "x"), 1), leaf(("a", "y"), 2), leaf(("b",), 3), leaf((1, "z"), 4)]
    html = [section.html for section in Rows(token, KeyPatterns(())).sections(leaves)]
    assert [part.count("<tbody>") for part in html] == [1, 1, 1]
    assert "id=k-a class=section" in html[0]
    assert "2 values" in html[0]
    assert "section" not in html[1]
    assert "1 value<" in html[2]


def test_equal_keys_of_two_types_are_two_sections() -> None:
    assert (
        len(Rows(token, KeyPatterns(())).sections([leaf((1, "x"), 1), leaf((True, "x"), 2)])) == 2
    )


def test_shared_leaves_are_written_once() -> None:
    asked: list[int] = []

    def count(place: int) -> str:
        asked.append(place)
        return "t"

    rows = Rows(count, KeyPatterns(()))
    shared, other = leaf(("a", "x"), Redacted("gpg", 1)), leaf(("a", "y"), Redacted("gpg", 2))
    first, again = rows.sections([shared]), rows.sections([shared])
    assert first[0] is again[0]
    assert first[0].secrets == (shared.value,)
    rows.sections([shared, other])
    assert asked == [1, 2]


def test_what_is_kept_is_bounded_and_never_taken_for_something_else() -> None:
    rows = Rows(token, KeyPatterns(()), most_kept=3)
    for number in range(200):
        section = rows.sections([leaf(("a", "x"), number), leaf(("a", "y"), -number)])[0]
        assert f">{number}</i>" in section.html
        assert len(rows._rows) <= 4
        assert len(rows._sections) <= 2


def test_keys_that_read_alike_have_rows_of_their_own() -> None:
    odd = {80: "n", "80": "t", True: 1, "True": 2, "80~2": 3}
    leaves = [leaf(("a", key), value) for key, value in odd.items()]
    leaves += [leaf((7, "x"), 1), leaf(("7", "x"), 2), leaf(("b",), 3)]
    data = {"a": odd, 7: {"x": 1}, "7": {"x": 2}, "b": 3}
    anchors = [
        one
        for section in Rows(token, KeyPatterns(())).sections(leaves, data)
        for one in section.anchors
    ]
    assert anchors == [
        *("k-a", "k-a.80", "k-a.80~3", "k-a.True", "k-a.True~2", "k-a.80~2"),
        *("k-7", "k-7.x", "k-7~2", "k-7.x~2", "k-b"),
    ]


def test_rows_of_the_same_leaves_tell_lists_from_mappings() -> None:
    rows = Rows(token, KeyPatterns(()))
    leaves = [leaf(("a", 0), "x")]
    of_list = rows.sections(leaves, {"a": ["x"]})[0].html
    of_map = rows.sections(leaves, {"a": {0: "x"}})[0].html
    assert "id=k-a.0><th>a:<a href=../keys/a.html#k-a.*><b><i>0</i></b></a><td>" in of_list
    assert "id=k-a.0 data-p='[\"a\", 0]'><th>a:<a href=../keys/a.html#k-a.0><b>0</b></a>" in of_map


def test_list_positions_above_the_last_key_are_told_to_the_script() -> None:
    data = {"a": [{"b": 1, "c": [2]}]}
    leaves = [leaf(("a", 0, "b"), 1), leaf(("a", 0, "c", 0), 2)]
    html = Rows(token, KeyPatterns(())).sections(leaves, data)[0].html
    assert 'id=k-a.0.b data-n="1"><th>a:<i>0</i>:<a href=../keys/a.html#k-a.*.b>' in html
    assert 'id=k-a.0.c.0 data-n="1 3"><th>a:<i>0</i>:c:<a href' in html


def test_the_first_key_of_a_mapping_links_and_each_that_does_not_follow_from_it() -> None:
    data = {"a": {"x": 1, "y": 2, "users": {"ann": {"id": 3}}, "l": [4, 5], "z": 6, "10.0.0.1": 7}}
    leaves = [leaf(path, "") for path in _paths(data)]
    html = Rows(token, KeyPatterns(())).sections(leaves, data)[0].html
    page = "../keys/a.html#k-a."
    found = [re.findall(r"(?:id|href)=(\S+?)[ >]", line) for line in html.splitlines()[2:]]
    assert found == [
        ["k-a.x", f"{page}x"],
        ["k-a.y"],
        ["k-a.users.ann.id", f"{page}users.*.id"],
        ["k-a.l.0", f"{page}l.*"],
        ["k-a.l.1"],
        ["k-a.z", f"{page}z"],
        ["k-a.10%2E0%2E0%2E1", f"{page}*"],
    ]


def _paths(data: Any, above: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if not isinstance(data, dict | list):
        yield above
        return
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        yield from _paths(value, (*above, key))


def test_a_section_names_what_sets_most_of_it_and_its_rows_the_line() -> None:
    leaves = [leaf(("a", key), 1) for key in "xyz"]
    other = replace(
        leaf(("a", "w"), "new"),
        origins=(origin("old", "first.sls", 1), origin("new", "last.sls", 2)),
    )
    html = Rows(token, KeyPatterns(())).sections([other, *leaves])[0].html
    head, *rows = html.split("<tr ")[1:]
    assert head.endswith("<td><code>pillar/base/app.sls</code> <small>base: app</small>\n")
    assert [row.rpartition("<td>")[2] for row in rows[1:]] == [":3\n"] * 3
    assert "<td><code>last.sls:2</code>" in rows[0]
    assert "<code>first.sls:1</code>" in rows[0]


def test_one_leaf_in_two_sections_has_the_source_that_each_leaves_to_it() -> None:
    rows, shared = Rows(token, KeyPatterns(())), leaf(("a", "x"), 1)
    others = [replace(leaf(("a", key), 1), origins=(origin(1, "other.sls", 7),)) for key in "yz"]
    assert rows.sections([shared])[0].rows[0].html.endswith("<td>:3\n")
    assert "app.sls:3" in rows.sections([shared, *others])[0].rows[0].html


def test_secrets_have_rows_of_their_own() -> None:
    secret = leaf(("a", "x"), Redacted("gpg <renderer>", 4))
    section = Rows(token, KeyPatterns(())).sections([leaf(("a", "w"), 1), secret])[0]
    assert [row.anchor for row in section.secret_rows] == ["k-a.x"]


@pytest.mark.parametrize(
    ("path", "anchor"),
    [
        (("a", "x"), "k-a.x"),
        (("a",), "k-a"),
        (("a", "m"), "k-a.m.n"),
        (("a", "mo"), None),
        (("b",), None),
    ],
    ids=["row", "section", "first below", "only begins alike", "other section"],
)
def test_a_path_leads_to_its_row_or_the_first_below(path: tuple[str, ...], anchor: str) -> None:
    sections = Rows(token, KeyPatterns(())).sections(
        [leaf(("a", "x"), 1), leaf(("a", "m", "n"), 2)]
    )
    assert find_anchor(path, sections_by_key(sections)) == anchor


def test_a_long_name_of_a_file_may_break_behind_a_slash() -> None:
    folder = "pillar/base/a-folder-with-a-long-name"
    assert write_place(f"{folder}/x.sls", None).count("/<wbr>") == 3
