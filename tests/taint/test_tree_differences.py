"""Where two trees differ, and marks at such places."""

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from tests.properties.strategies import data

from pillarbook.model import Leaf, MapNode, Node, Origin, SecretOrigin, grow, leaves, plain
from pillarbook.taint.tree_differences import DifferenceKind, TreeComparer


def tree_of(data: Any, *, line: int | None = None) -> Node:
    """Return a tree of which each value has a line of its own, or all the same."""
    lines = itertools.count(1)
    return grow(data, lambda _, value: Origin("t.sls", line or next(lines), "t", "base", value))


def differences(one: Any, other: Any) -> list[tuple[DifferenceKind, str]]:
    found = TreeComparer().compare(tree_of(one), tree_of(other))
    return [(each.kind, ":".join(map(str, each.path))) for each in found]


V, A, B, O = DifferenceKind.VALUE, DifferenceKind.ALONE, DifferenceKind.BEYOND, DifferenceKind.ORDER  # noqa: E741


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {"a": True}, [(V, "a")]),
        ({"a": 1}, {"a": "1"}, [(V, "a")]),
        ({"a": {"b": 1, "c": 2}}, {"a": {"b": 1, "c": 3}}, [(V, "a:c")]),
        ({"a": 1, "b": 2}, {"a": 1}, [(A, "b")]),
        ({"a": 1}, {"a": 1, "b": {"c": 2}}, [(B, "b:c")]),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, [(O, "")]),
        ({"a": 1}, {"a": {"b": 1}}, [(A, "a"), (B, "a:b")]),
        ({"a": {}}, {"a": []}, [(V, "a"), (B, "a")]),
        ({"a": {}}, {"a": {}}, []),
        ({"a": [1, 2]}, {"a": [1, 3]}, [(V, "a:1")]),
        ({"a": [[1], [2]]}, {"a": [[1]]}, [(A, "a:1:0")]),
    ],
    ids=repr,
)
def test_differences(one: Any, other: Any, found: list[tuple[DifferenceKind, str]]) -> None:
    assert differences(one, other) == found


@given(one=data(), other=data())
def test_differences_are_where_leaves_differ(one: dict[Any, Any], other: dict[Any, Any]) -> None:
    comparer = TreeComparer()
    first, second = tree_of(one), tree_of(other)
    assert comparer.compare(first, tree_of(one)) == ()
    found = comparer.compare(first, second)
    same = plain(first) == plain(second) and [*leaf_paths(first)] == [*leaf_paths(second)]
    assert same or found
    marks = tuple(
        (each.path, None, "why")
        for each in found
        if each.kind in (DifferenceKind.VALUE, DifferenceKind.ALONE) and isinstance(each.node, Leaf)
    )
    made = comparer.mark(first, marks)
    assert repr(plain(made)) == repr(plain(first))
    marked = {path for path, node, _ in leaves(made) if getattr(node, "secret", None)}
    assert marked == {path for path, _, _ in marks}


def leaf_paths(tree: Node) -> Iterator[tuple[Any, ...]]:
    for path, _, _ in leaves(tree):
        yield tuple((key.__class__, key) for key in path)


def test_what_a_loop_writes_is_one_thing() -> None:
    one, other = ({"a": ["x"] * count} for count in (2, 3))
    found = TreeComparer().compare(tree_of(one, line=4), tree_of(other, line=4))
    assert [(each.kind, each.path) for each in found] == [
        (B, ("a", 2)),
        (A, ("a", 0)),
        (A, ("a", 1)),
    ]


def test_the_same_trees_are_compared_once() -> None:
    comparer = TreeComparer()
    one, other = tree_of({"a": {"b": 1}}), tree_of({"a": {"b": 2}})
    assert comparer.compare(one, other) is comparer.compare(one, other)


def test_equal_marks_give_one_tree() -> None:
    comparer, tree = TreeComparer(), tree_of({"a": {"b": 1}, "c": {"d": 2}, "e": [1, {"f": 2}]})
    marks = ((("a", "b"), None, "why"), (("e", 1, "f"), None, "why too"))
    made = comparer.mark(tree, marks)
    assert made is comparer.mark(tree, marks)
    assert isinstance(made, MapNode)
    assert isinstance(tree, MapNode)
    assert made.items["c"] is tree.items["c"]
    found = {path: getattr(node, "secret", None) for path, node, _ in leaves(made)}
    assert found == {("a", "b"): "why", ("c", "d"): None, ("e", 0): None, ("e", 1, "f"): "why too"}


def test_what_a_leaf_overrode_is_compared_and_marked() -> None:
    def leaf(before: str) -> MapNode:
        origins = [
            Origin(f"{at}.sls", 1, "t", "base", text) for at, text in enumerate((before, "x"))
        ]
        return MapNode({"a": Leaf("x", tuple(origins))}, ())

    comparer = TreeComparer()
    (found,) = comparer.compare(leaf("one"), leaf("two"))
    assert (found.kind, found.path, found.at) == (DifferenceKind.OVERRIDDEN, ("a",), 0)
    made = comparer.mark(leaf("one"), ((found.path, found.at, "why"),))
    ((_, node, origins),) = leaves(made)
    assert [isinstance(origin, SecretOrigin) for origin in origins] == [True, False]
    assert isinstance(node, Leaf)
    assert node.secret is None
