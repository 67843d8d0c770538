"""Which changes are told of two pillars, kind by kind."""

import datetime as dt
from typing import Any

import pytest
from tests.compare.pillars import BASE_FILE, HEAD_FILE, as_pillar, describe
from tests.support.apply_changes import apply_changes

from pillarbook.compare.change import Change
from pillarbook.compare.pillars import Comparer, comparable_data
from pillarbook.redact import Redacted

NAN = float("nan")


def compare(base: dict[Any, Any], head: dict[Any, Any]) -> tuple[Change, ...]:
    return Comparer().compare(as_pillar(base, BASE_FILE), as_pillar(head, HEAD_FILE))


def show(change: Change) -> tuple[Any, ...]:
    """Return what a table's row says of a change."""
    path = ":".join(map(str, change.path))
    match change.kind:
        case "added":
            return ("added", path, change.after, change.behind)
        case "removed":
            return ("removed", path, change.before)
        case "moved":
            return ("moved", path, change.moved_from, change.moved_to)
        case _:
            return (change.kind, path, change.before, change.after)


MAPPINGS = {
    "equal": ({"a": {"b": [1, {}]}}, {"a": {"b": [1, {}]}}, []),
    "a value for another": ({"a": 1}, {"a": 2}, [("changed", "a", 1, 2)]),
    "a deep value": ({"a": {"b": 1}}, {"a": {"b": 2}}, [("changed", "a:b", 1, 2)]),
    "a key removed": ({"a": 1, "b": 2}, {"a": 1}, [("removed", "b", 2)]),
    "all removed": ({"a": 1}, {}, [("removed", "a", 1)]),
    "first key added": ({"b": 2}, {"a": 1, "b": 2}, [("added", "a", 1, ())]),
    "keys added behind added ones": (
        {"a": 1},
        {"a": 1, "b": {"x": 1}, "c": 3},
        [("added", "b", {"x": 1}, ("a",)), ("added", "c", 3, ("b",))],
    ),
    "a deep key added": (
        {"a": {"x": 1, "z": 1}},
        {"a": {"x": 1, "y": 1, "z": 1}},
        [("added", "a:y", 1, ("x",))],
    ),
    "two keys swapped, others left out": (
        {"a": 1, "b": 2, "c": 3},
        {"c": 3, "b": 2, "a": 1},
        [("reordered", "", ("a", "c"), ("c", "a"))],
    ),
    "deep keys in another order": (
        {"t": {"a": 1, "b": 2, "c": 3}},
        {"t": {"b": 2, "c": 3, "a": 1}},
        [("reordered", "t", ("a", "b", "c"), ("b", "c", "a"))],
    ),
    "a key between does not reorder": (
        {"a": 1, "x": 1, "b": 2},
        {"a": 1, "b": 2, "y": 1},
        [("removed", "x", 1), ("added", "y", 1, ("b",))],
    ),
    "all at once, in the order to apply": (
        {"gone": 0, "a": 1, "b": 2, "m": {"k": 1}, "c": 3},
        {"b": 2, "a": 9, "new": 0, "m": {"k": 2}, "c": 4},
        [
            ("removed", "gone", 0),
            ("reordered", "", ("a", "b"), ("b", "a")),
            ("added", "new", 0, ("a",)),
            ("changed", "a", 1, 9),
            ("changed", "c", 3, 4),
            ("changed", "m:k", 1, 2),
        ],
    ),
    "a scalar for a mapping": ({"a": 1}, {"a": {"b": 1}}, [("changed", "a", 1, {"b": 1})]),
    "a list for a mapping": ({"a": {}}, {"a": []}, [("changed", "a", {}, [])]),
    "a mapping filled": ({"a": {}}, {"a": {"b": 1}}, [("added", "a:b", 1, ())]),
    "a list filled": ({"a": []}, {"a": [1]}, [("added", "a:0", 1, None)]),
    "a key of another type": (
        {1: "x"},
        {True: "x"},
        [("removed", "1", "x"), ("added", "True", "x", ())],
    ),
    "Salt's errors": ({"_errors": ["x"], "a": 1}, {"a": 1, "_errors": ["y"]}, []),
    "Salt's errors are no neighbour": (
        {"a": 1},
        {"a": 1, "_errors": ["y"], "b": 1},
        [("added", "b", 1, ("a",))],
    ),
    "a deep key of that name": (
        {"a": {"_errors": 1}},
        {"a": {"_errors": 2}},
        [("changed", "a:_errors", 1, 2)],
    ),
}

LISTS = {
    "a member added": ([1, 3], [1, 2, 3], [("added", "l:1", 2, None)]),
    "members removed": ([1, 2, 3, 4], [3], [("removed", f"l:{at}", at + 1) for at in (0, 1, 3)]),
    "a scalar for another is no change in place": (
        ["a"],
        ["b"],
        [("removed", "l:0", "a"), ("added", "l:0", "b", None)],
    ),
    "a member moved": (["a", "b", "c"], ["c", "a", "b"], [("moved", "l", 2, 0)]),
    "two members change places": (
        list("abc"),
        list("cba"),
        [("moved", "l", 2, 0), ("moved", "l", 0, 2)],
    ),
    "the one that really moved": (
        list("123456"),
        list("612435"),
        [("moved", "l", 5, 0), ("moved", "l", 2, 4)],
    ),
    "one that stays between others": (
        list("abmcd"),
        list("cdmab"),
        [("moved", "l", 3, 0), ("moved", "l", 4, 1), ("moved", "l", 2, 2)],
    ),
    "a duplicate less": ([1, 1, 1], [1, 1], [("removed", "l:2", 1)]),
    "1 and True are two": ([1], [True], [("removed", "l:0", 1), ("added", "l:0", True, None)]),
    "a mapping that changed": ([{"a": 1}], [{"a": 2}], [("changed", "l:0:a", 1, 2)]),
    "a mapping that changed counts in the head": (
        [{"name": "b", "v": 1}],
        ["new", {"name": "b", "v": 2}],
        [("added", "l:0", "new", None), ("changed", "l:1:v", 1, 2)],
    ),
    "mappings go by name": (
        [{"name": "a", "v": 1}, {"name": "b", "v": 1}],
        [{"name": "b", "v": 2}],
        [("removed", "l:0", {"name": "a", "v": 1}), ("changed", "l:0:v", 1, 2)],
    ),
    "mappings go by their only key": (
        [{"x": {"v": 1}}, {"y": {"v": 1}}],
        [{"y": {"v": 2}}],
        [("removed", "l:0", {"x": {"v": 1}}), ("changed", "l:0:y:v", 1, 2)],
    ),
    "mappings go by what they begin with": (
        [{"host": "a", "v": 1}, {"host": "b", "v": 1}],
        [{"host": "b", "v": 2}],
        [("removed", "l:0", {"host": "a", "v": 1}), ("changed", "l:0:v", 1, 2)],
    ),
    "mappings with nothing in common": (
        [{"a": 1}],
        [{"b": 1}],
        [("removed", "l:0", {"a": 1}), ("added", "l:0", {"b": 1}, None)],
    ),
    "a mapping and a list": (
        [{"a": 1}],
        [["a"]],
        [("removed", "l:0", {"a": 1}), ("added", "l:0", ["a"], None)],
    ),
    "lists in lists": (
        [[1, 2], [3]],
        [[1, 2], [3, 4]],
        [("added", "l:1:1", 4, None)],
    ),
    "equal mappings that moved": (
        [{"a": 1}, {"b": 1}, {"c": 1}],
        [{"c": 1}, {"a": 1}, {"b": 1}],
        [("moved", "l", 2, 0)],
    ),
    "key order within a member": (
        [{"a": 1, "b": 2}],
        [{"b": 2, "a": 1}],
        [("reordered", "l:0", ("a", "b"), ("b", "a"))],
    ),
    "a tuple is the list that Salt makes of it": ([(1, 2)], [[1, 2]], []),
    "a tuple that changed": (
        [(1, 2)],
        [(1, 3)],
        [("removed", "l:0:1", 2), ("added", "l:0:1", 3, None)],
    ),
}


@pytest.mark.parametrize(("base", "head", "told"), MAPPINGS.values(), ids=MAPPINGS)
def test_of_mappings(base: dict[Any, Any], head: dict[Any, Any], told: list[Any]) -> None:
    assert [show(change) for change in compare(base, head)] == told


@pytest.mark.parametrize(("base", "head", "told"), LISTS.values(), ids=LISTS)
def test_of_lists(base: list[Any], head: list[Any], told: list[Any]) -> None:
    changes = compare({"l": base}, {"l": head})
    assert [show(change) for change in changes] == told
    applied = apply_changes({"l": base}, changes)
    assert describe(applied) == describe({"l": head})


STRICT = {
    "int and bool": (1, True, False),
    "int and float": (1, 1.0, False),
    "int and text": (1, "1", False),
    "zeros": (0.0, -0.0, False),
    "NaN": (NAN, float("nan"), True),
    "None and text": (None, "None", False),
    "text and bytes": ("a", b"a", False),
    "dates": (dt.date(2024, 1, 1), dt.date(2024, 1, 1), True),
    "a date and its text": (dt.date(2024, 1, 1), "2024-01-01", False),
    "one moment in two zones": (
        dt.datetime(2024, 1, 1, 12, tzinfo=dt.UTC),
        dt.datetime(2024, 1, 1, 13, tzinfo=dt.timezone(dt.timedelta(hours=1))),
        False,
    ),
    "sets": ({"a", "b"}, {"b", "a"}, True),
    "sets of 1 and True": ({1}, {True}, False),
    "one secret": (Redacted("gpg renderer", 3), Redacted("gpg renderer", 3), True),
    "one secret for two reasons": (Redacted("gpg renderer", 3), Redacted("by rule", 3), True),
    "two secrets": (Redacted("gpg renderer", 3), Redacted("gpg renderer", 4), False),
    "a secret and a value": (Redacted("gpg renderer", 3), "x", False),
    "a secret and its number": (Redacted("gpg renderer", 3), 3, False),
}


@pytest.mark.parametrize(("before", "after", "same"), STRICT.values(), ids=STRICT)
def test_values_are_compared_strictly(before: Any, after: Any, same: bool) -> None:
    kinds = [change.kind for change in compare({"a": before}, {"a": after})]
    assert kinds == ([] if same else ["changed"])
    assert (compare({"a": [[before]]}, {"a": [[after]]}) == ()) is same


def test_nan_is_one_key() -> None:
    base, head = {NAN: {"a": 1}, "b": 1}, {"b": 1, float("nan"): {"a": 2, "c": 3}}
    changes = compare(base, head)
    assert [change.kind for change in changes] == ["reordered", "added", "changed"]
    assert describe(apply_changes(base, changes)) == describe(head)


def test_origins_are_the_winning_ones() -> None:
    changes = compare(
        {"same": 0, "gone": {"x": {"y": 1}}, "v": {"k": 1}, "l": ["a", ["b"], "m"]},
        {"same": 0, "v": {"k": 2}, "new": [[5]], "l": ["m", "a", ["c"]]},
    )
    places = {
        (change.kind, change.path): (
            change.before_origin and (change.before_origin.file, change.before_origin.line),
            change.after_origin and (change.after_origin.file, change.after_origin.line),
        )
        for change in changes
    }
    assert places == {
        ("removed", ("gone",)): ((BASE_FILE, 2), None),
        ("added", ("new",)): (None, (HEAD_FILE, 3)),
        ("changed", ("v", "k")): ((BASE_FILE, 3), (HEAD_FILE, 2)),
        ("moved", ("l",)): ((BASE_FILE, 6), (HEAD_FILE, 4)),
        ("removed", ("l", 2, 0)): ((BASE_FILE, 5), None),
        ("added", ("l", 2, 0)): (None, (HEAD_FILE, 6)),
    }


def test_another_origin_is_no_change() -> None:
    data = {"a": {"b": [1, {"c": 2}]}}
    assert compare(data, {"a": {"b": [1, {"c": 2}]}}) == ()


def test_positions_are_told_from_number_keys() -> None:
    (first, second) = compare({"a": {0: [[1], {}]}}, {"a": {0: [[1, 2], {}], 1: 1}})
    assert (first.path, sorted(first.positions)) == (("a", 1), [])
    assert (second.path, sorted(second.positions)) == (("a", 0, 0, 1), [2, 3])
    assert (first.container, second.container) == (("a",), ("a", 0, 0))


def test_a_member_reordered_within_is_no_change_of_the_list() -> None:
    (change,) = compare({"l": [{"a": 1, "b": 2}]}, {"l": [{"b": 2, "a": 1}]})
    assert (change.kind, change.container) == ("reordered", ("l", 0))


@pytest.mark.parametrize("side", ["base", "head"])
@pytest.mark.parametrize("how", [{"outcome": "failed"}, {"raises": "KeyError: 'x'"}])
def test_a_failed_side_has_no_changes(side: str, how: dict[str, str]) -> None:
    failed = as_pillar({}, **how)
    other = as_pillar({"a": 1})
    pair = (failed, other) if side == "base" else (other, failed)
    assert Comparer().compare(*pair) == ()
    assert comparable_data(failed) == {}


def test_deep_nesting_is_no_matter() -> None:
    base: Any = 1
    head: Any = 2
    for at in range(300):
        base, head = ({"k": base}, {"k": head}) if at % 2 else ([base, at], [head, at])
    changes = compare({"top": base}, {"top": head})
    assert [change.kind for change in changes] == ["removed", "added"]
    assert describe(apply_changes({"top": base}, changes)) == describe({"top": head})
