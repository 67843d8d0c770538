"""The pages that compare environments."""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from tests.report.environment import page_environment
from tests.report.reader import PLANTED, Reader, is_safe
from tests.report.sample import fill_fleet, filled, sides_of
from tests.support.redacted import make_pillar

from pillarbook.redact.redacted_pillar import Redacted, RedactedPillar
from pillarbook.report.environment_pages import (
    list_pairs,
    write_environments,
    write_pair,
    write_pair_json,
)
from pillarbook.report.fleet_summary import FleetSummary
from pillarbook.report.members import MemberGroups
from pillarbook.report.sides import outcome_word
from pillarbook.report.source import EnvironmentSide

BASE = EnvironmentSide("base", is_pillarenv=True, has_top=True)
STAGING = EnvironmentSide("staging", is_pillarenv=True, has_top=True)
PROD = EnvironmentSide("prod", is_pillarenv=False, has_top=True)
BARE = EnvironmentSide("bare", is_pillarenv=True, has_top=False)


def token(place: int) -> str:
    return f"token-{place}"


def compare(
    *minions: tuple[RedactedPillar, ...], sides: Sequence[EnvironmentSide] = (BASE, STAGING)
) -> FleetSummary:
    return fill_fleet((sides_of(sides, *pillars), {}) for pillars in minions)


def both(before: Any, after: Any, minion: str = "m") -> tuple[RedactedPillar, RedactedPillar]:
    return filled(minion, before), filled(minion, after, "pillar/staging/app.sls")


def pair_page(fleet: FleetSummary, number: int = 1) -> Reader:
    page = Reader(write_pair(fleet, number, MemberGroups(fleet.minions), token, page_environment()))
    assert is_safe(page)
    assert len(set(page.ids)) == len(page.ids)
    inner = {link[1:] for link in page.links if link.startswith("#")}
    assert inner <= set(page.ids)
    return page


def index_page(fleet: FleetSummary) -> Reader:
    page = Reader(write_environments(fleet, page_environment()))
    assert is_safe(page)
    return page


@pytest.mark.parametrize(
    ("base", "head", "differs", "word"),
    [
        ("ok", "ok", False, "unchanged"),
        ("ok", "ok", True, "changed"),
        ("ok", "failed", False, "newly failing"),
        ("ok", "partial", True, "newly failing"),
        ("empty", "failed", False, "newly failing"),
        ("partial", "partial", False, "still failing"),
        ("failed", "failed", False, "still failing"),
        ("failed", "partial", False, "still failing"),
        ("failed", "ok", False, "fixed"),
        ("partial", "empty", False, "fixed"),
        ("ok", "empty", True, "empty"),
        ("empty", "ok", True, "empty"),
        ("empty", "empty", False, "unchanged"),
    ],
)
def test_what_became_of_a_minion(base: str, head: str, differs: bool, word: str) -> None:
    assert outcome_word(base, head, differs=differs) == word


@pytest.mark.parametrize(
    ("before", "after", "row"),
    [
        (
            {"a": {"b": 1}},
            {"a": {"b": 2}},
            "|a:b|changed|1pillar/base/app.sls:1 base: app|2pillar/staging/app.sls:1 base: app|m",
        ),
        ({"a": 1}, {"a": 1, "b": "x"}, "|b|added||xpillar/staging/app.sls:2 base: app|m"),
        ({"a": 1, "b": "x"}, {"a": 1}, "|b|removed|xpillar/base/app.sls:2 base: app||m"),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, "|top-level keys|reordered|a, b|b, a|m"),
        ({"l": ["x"]}, {"l": ["x", "y"]}, "|l:[]|added||ypillar/staging/app.sls:2 base: app|m"),
        (
            {"a": 1},
            {"a": "1"},
            '|a|changed|1pillar/base/app.sls:1 base: app|"1"pillar/staging/app.sls:1 base: app|m',
        ),
        (
            {"a": {"b": []}},
            {"a": {"b": {}}},
            "|a:b|changed|[]pillar/base/app.sls:1 base: app|{}pillar/staging/app.sls:1 base: app|m",
        ),
    ],
    ids=["changed", "added", "removed", "reordered", "member", "type", "empty"],
)
def test_a_change_is_a_row(before: Any, after: Any, row: str) -> None:
    page = pair_page(compare(both(before, after)))
    assert row in [one.replace("\n", "") for one in page.rows]


def test_a_moved_member_says_from_where_to_where() -> None:
    page = pair_page(compare(both({"l": ["a", "b", "c"]}, {"l": ["c", "a", "b"]})))
    row = page.row("moved")
    assert "position 2 c" in row
    assert "position 0 c" in row


def test_what_was_added_as_a_whole_is_shown_as_a_whole() -> None:
    new = {"users": {"anna": {"uid": 1000, "keys": ["k1", "k2"], "note": "one\ntwo\n"}, "none": {}}}
    page = pair_page(compare(both({"a": 1}, {"a": 1, **new})))
    shown = ["anna:", "  uid: 1000", "  keys:", "    - k1", "  note: |", "    one", "none: {}"]
    assert all(line in page.text for line in shown)


def test_a_long_text_is_compared_line_by_line() -> None:
    lines = [f"line {number}" for number in range(100)]
    before = "\n".join(lines) + "\n"
    page = pair_page(
        compare(both({"text": before}, {"text": before.replace("line 50\n", "other\n")}))
    )
    assert "-line 50" in page.text
    assert "+other" in page.text
    assert "line 30" not in page.text


def test_a_lost_line_break_at_the_end_is_seen() -> None:
    page = pair_page(compare(both({"text": "a\nb\n"}, {"text": "a\nb"})))
    assert "\n b\n-m" in page.text  # the row goes on with the minion


def test_secrets_show_why_and_a_token_and_equal_ones_are_no_change() -> None:
    key = Redacted("key names a password", 1)
    fleet = compare(
        (
            filled("m", {"p": key, "q": key}),
            filled("m", {"p": key, "q": Redacted("gpg renderer", 2)}),
        )
    )
    page = pair_page(fleet)
    assert fleet.pair(1).keys == 1
    assert "redacted: key names a password token-1" in page.row("changed")
    assert "redacted: gpg renderer token-2" in page.row("changed")


def test_other_ciphertext_says_nothing_of_the_value() -> None:
    sealed = [filled("m", {"p": Redacted("PGP message", place)}) for place in (1, 2)]
    assert "ciphertext changed, value unknown" in pair_page(compare((sealed[0], sealed[1]))).text


def test_equal_changes_stand_in_one_row() -> None:
    minions = [both({"a": {"b": 1, "c": 1}}, {"a": {"b": 2, "c": 1}}, f"m{n}") for n in range(30)]
    page = pair_page(compare(*minions))
    assert page.row("changed").endswith("|all 30 minions")
    assert page.text.count("different") == 2  # the facts
    assert page.text.count("changed") == 2  # the summary, the row
    assert "../minions/m29.html#environments" in page.links


def test_many_members_are_counted_and_the_json_has_them() -> None:
    fleet = compare(*(both({"a": 1}, {"a": 2}, f"m{number}") for number in range(1000)))
    page = pair_page(fleet)
    assert "and 800 more, in the JSON" in page.text
    written = json.loads(write_pair_json(fleet, 1, token))
    assert len(written["groups"][written["changes"][0]["group"]]) == 1000


def test_a_key_that_differs_in_every_way_does_not_fill_the_page() -> None:
    fleet = compare(*(both({"ip": n}, {"ip": -n - 1}, f"m{n}") for n in range(5000)))
    html = write_pair(fleet, 1, MemberGroups(fleet.minions), token, page_environment())
    assert "4,980 more variants" in html
    assert len(html) < 50_000


def test_many_values_of_a_key_that_only_one_environment_has_share_a_row() -> None:
    fleet = compare(*(both({"a": 1, "ip": n % 5}, {"a": 1}, f"m{n}") for n in range(10)))
    page = pair_page(fleet)
    assert [row for row in page.rows if "removed" in row] == [
        "|ipone of 5 variants|removed|0pillar/base/app.sls:2 base: app||all 10 minions"
    ]
    assert "4 more differences are in the JSON" in page.text
    few = pair_page(compare(*(both({"ip": n}, {}, f"m{n}") for n in range(3))))
    assert len([row for row in few.rows if "removed" in row]) == 3


@pytest.mark.slow
def test_a_page_stays_of_a_size_that_browsers_like() -> None:
    before = {f"key{key}": {str(n): 1 for n in range(300)} for key in range(20)}
    after = {f"key{key}": {str(n): "x" * 50 for n in range(300)} for key in range(20)}
    fleet = compare(both(before, after))
    page = pair_page(fleet)
    assert "more differences are in the JSON" in page.text
    assert (
        len(write_pair(fleet, 1, MemberGroups(fleet.minions), token, page_environment()))
        < 2_000_000
    )


def test_failures_are_named_apart_with_both_outcomes() -> None:
    fleet = compare(
        both({"a": 1}, {"a": 1}, "same"),
        (filled("new", {"a": 1}), make_pillar("new", outcome="failed", raises="no")),
        (make_pillar("old", outcome="failed", raises="no"), filled("old", {"a": 1})),
        (
            make_pillar("both", outcome="failed", raises="no"),
            make_pillar("both", outcome="failed", raises="no"),
        ),
        (filled("part", {"a": 1}, outcome="partial"), filled("part", {"a": 2}, outcome="partial")),
        (filled("none", {"a": 1}), make_pillar("none", outcome="empty")),
    )
    page = pair_page(fleet)
    for row in (
        "|ok|failed|failing only in staging|new",
        "|failed|ok|failing only in base|old",
        "|failed|failed|failing in both|both",
        "|partial|partial|failing in both|part",
        "|ok|empty|empty in one of them|none",
    ):
        assert row in page.rows
    assert fleet.pair(1).words["unchanged"] == 1
    assert fleet.pair(1).differing == 5
    assert [change.minions for change in fleet.pair(1).changes] == [("part",)]


def test_what_goes_wrong_stands_with_the_outcome() -> None:
    faults = {"m1": (f"a.sls:2: {PLANTED}",), "m2": (f"a.sls:2: {PLANTED}", "b.sls:1: no")}
    many = tuple(f"c.sls:{line}: no" for line in range(12))
    fleet = compare(
        *(
            (filled(name, {}), replace(make_pillar(name, outcome="partial"), faults=told))
            for name, told in faults.items()
        ),
        (replace(make_pillar("m3", outcome="partial"), faults=many), filled("m3", {})),
    )
    page = pair_page(fleet)
    assert f"a.sls:2 {PLANTED}, on 2" in page.text
    assert "b.sls:1 no" in page.text
    assert "c.sls:9 noand 2 more" in page.text
    assert "c.sls:10" not in page.text


def test_the_json_has_everything() -> None:
    sealed = Redacted("gpg renderer", 3)
    fleet = compare(
        (
            filled("m", {"a": {"$x": 1}, "l": [1, 2]}),
            filled("m", {"a": sealed, "l": [2, 1], "n": None}),
        ),
        (filled("f", {}), make_pillar("f", outcome="failed", raises="no")),
    )
    written = json.loads(write_pair_json(fleet, 1, token))
    assert written["schema"] == "pillarbook.environments/1"
    assert written["base"] == {"name": "base", "is_pillarenv": True, "has_top": True}
    assert written["minions"]["f"] == {"outcome": "newly failing", "base": "ok", "head": "failed"}
    changed = next(one for one in written["changes"] if one["kind"] == "changed")
    assert changed["path"] == ["a"]
    assert changed["before"] == {"$map": [["$x", 1]]}
    assert changed["after"] == {"redacted": "gpg renderer", "token": "token-3"}
    assert changed["after_origin"] == {
        "file": "pillar/base/app.sls",
        "line": 1,
        "sls": "app",
        "saltenv": "base",
    }
    moved = next(one for one in written["changes"] if one["kind"] == "moved")
    assert (moved["path"], moved["from"], moved["to"]) == (["l"], 1, 0)
    added = next(one for one in written["changes"] if one["kind"] == "added")
    assert (added["path"], added["after"], added["behind"]) == (["n"], None, ["l"])
    assert "before" not in added


def test_the_table_of_pairs() -> None:
    minions = [
        (filled(name, {"a": 1}), filled(name, {"a": value}), filled(name, {"a": 1, "b": 2}))
        for name, value in (("m1", 1), ("m2", 2))
    ]
    fleet = compare(*minions, sides=(BASE, STAGING, PROD))
    page = index_page(fleet)
    assert "base--staging.html" in page.links
    assert page.row("base and staging") == "|base and staging|1|1 the same, 1 different|1|1 changed"
    assert page.row("base and prod") == "|base and prod|2|2 different|1|1 added"
    assert page.row("named set") == "|prod named set of options|2|0|0|0"
    assert "whatever its own environment is" in page.text
    assert "A named set of options" in page.text


def test_an_environment_without_a_top_file_is_not_compared() -> None:
    fleet = compare((filled("m", {"a": 1}), make_pillar("m", outcome="empty")), sides=(BASE, BARE))
    index, page = index_page(fleet), pair_page(fleet)
    assert "bare has no top file: no minion gets a pillar there" in index.text.replace("\n", "")
    assert index.row("base and bare") == "|base and bare|no top file in bare"
    assert index.row("pillarenv, no top file") == "|bare pillarenv, no top file|0|0|0|1"
    assert "so they are not compared" in page.text
    assert "removed" not in page.text
    assert fleet.pair(1).changes == ()
    assert json.loads(write_pair_json(fleet, 1, token))["minions"]["m"]["outcome"] == "no top file"


def test_a_first_environment_without_a_top_file() -> None:
    fleet = compare((make_pillar("m", outcome="empty"), filled("m", {"a": 1})), sides=(BARE, BASE))
    assert "so they are not compared" in pair_page(fleet).text
    assert list_pairs(fleet)[0].pair.differing == 0


def test_equal_environments() -> None:
    page = pair_page(compare(both({"a": 1}, {"a": 1})))
    assert "None: every minion gets the same pillar in both." in page.text


def test_one_environment_is_nothing_to_compare() -> None:
    page = index_page(fill_fleet([]))
    assert "Nothing to compare" in page.text


def test_planted_markup_stays_text() -> None:
    sides = (
        EnvironmentSide(PLANTED, is_pillarenv=True, has_top=True),
        EnvironmentSide(f"2{PLANTED}", is_pillarenv=False, has_top=True),
        EnvironmentSide(f"3{PLANTED}", is_pillarenv=False, has_top=False),
    )
    before = {
        PLANTED: {
            PLANTED: PLANTED,
            "lines": f"{PLANTED}\nx\n",
            "gone": {PLANTED: [f"{PLANTED}\nx\n"]},
        },
        "s": Redacted(PLANTED, 1),
        "z": 1,
    }
    after = {
        PLANTED: {"new": {PLANTED: PLANTED}, PLANTED: f"-{PLANTED}", "lines": f"y\n{PLANTED}\n"},
        "z": 1,
        "s": Redacted(PLANTED, 2),
    }
    changed = [
        filled(PLANTED, before, PLANTED),
        filled(PLANTED, after, PLANTED),
        make_pillar(PLANTED, outcome="empty"),
    ]
    failing = [
        filled(f"f{PLANTED}", {}),
        make_pillar(f"f{PLANTED}", outcome="failed", raises=PLANTED),
    ]
    fleet = compare(tuple(changed), (*failing, failing[1]), sides=sides)
    for page, times in ((pair_page(fleet), 25), (index_page(fleet), 7)):
        assert page.text.count("<script>alert(1)</script>") >= times
        assert page.text.count("{{ 7*7 }}") >= times
