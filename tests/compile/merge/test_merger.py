"""What two small trees merge to: values, and the lines behind them."""

from typing import Any

import pytest
from tests.compile.merge.grown import describe, grow_yaml

from pillarbook.compile.merge import MergeError, Merger, MergeRules
from pillarbook.compile.merge.merger import MAX_STEPS
from pillarbook.model import Leaf, ListNode, MapNode, Node, Origin

ORIGIN = Origin("x", 1, "x", "base", None)
RECURSE = MergeRules("recurse", merge_lists=False)
APPEND = MergeRules("recurse", merge_lists=True)
OVERWRITE = MergeRules("overwrite", merge_lists=True)
AGGREGATE = MergeRules("aggregate", merge_lists=False)
LIST = MergeRules("list", merge_lists=False)
NONE = MergeRules("none", merge_lists=True)
UNKNOWN = MergeRules("sideways", merge_lists=True)


@pytest.mark.parametrize(
    ("rules", "base", "update", "told"),
    [
        pytest.param(RECURSE, "k: 1", "k: 2", {"k": (2, "a:1 b:1")}, id="leaf-over-leaf"),
        pytest.param(RECURSE, "k: 1", "k: 1", {"k": (1, "a:1 b:1")}, id="equal-leaf"),
        pytest.param(
            RECURSE,
            "m: {x: 1,\n y: 1}",
            "m:\n  y: 2\n  z: 3",
            {"m:x": (1, "a:1"), "m:y": (2, "a:2 b:2"), "m:z": (3, "b:3")},
            id="map-over-map",
        ),
        pytest.param(
            RECURSE,
            "m: 1",
            "m:\n  x: 1\n  y: 2",
            {"m:x": (1, "a:1 b:2"), "m:y": (2, "a:1 b:3")},
            id="map-over-leaf",
        ),
        pytest.param(
            RECURSE, "m: {x: 1,\n y: 2}", "m: t", {"m": ("t", "a:1 a:2 b:1")}, id="leaf-over-map"
        ),
        pytest.param(
            RECURSE,
            "l: [1,\n 2]",
            "l: [2,\n 3]",
            {"l:0": (2, "a:1 b:1"), "l:1": (3, "a:2 b:2")},
            id="list-over-list",
        ),
        pytest.param(
            RECURSE,
            "l: [1,\n {x: 2,\n y: 3}]",
            "l: [{y: 4,\n z: 5}]",
            {"l:0:y": (4, "a:1 a:2 a:3 b:1"), "l:0:z": (5, "a:1 b:2")},
            id="longer-list-under-list",
        ),
        pytest.param(RECURSE, "l: [1]", "l: []", {"l": ((), "a:1 b:1")}, id="empty-list-over-list"),
        pytest.param(RECURSE, "m: {x: 1}", "m: {}", {"m:x": (1, "a:1")}, id="empty-map-over-map"),
        pytest.param(RECURSE, "m: {}", "m: {}", {"m": ({}, "a:1 b:1")}, id="empty-map-twice"),
        pytest.param(RECURSE, "1: a", "true: b", {"1": ("b", "a:1 b:1")}, id="equal-keys"),
        pytest.param(RECURSE, "k: 1", "k:", {"k": (None, "a:1 b:1")}, id="null-over-leaf"),
        pytest.param(
            APPEND,
            "l: [1, 1]",
            "l:\n- 2\n- 1\n- 2",
            {"l:0": (1, "b:3 a:1"), "l:1": (1, "a:1"), "l:2": (2, "b:2"), "l:3": (2, "b:4")},
            id="append",
        ),
        pytest.param(
            APPEND,
            "l: [1, x]",
            "l: [true,\n 1.0, '1']",
            {"l:0": (1, "b:1 b:2 a:1"), "l:1": ("x", "a:1"), "l:2": ("1", "b:2")},
            id="append-equals",
        ),
        pytest.param(
            APPEND,
            "l:\n- {x: 1, y: [2]}",
            "l:\n- {y: [2], x: 1}\n- {x: 1,\n   y: [2]}",
            {
                "l:0:x": (1, "b:3 a:2"),
                "l:0:y:0": (2, "b:4 a:2"),
                "l:1:y:0": (2, "b:2"),
                "l:1:x": (1, "b:2"),
            },
            id="append-maps-by-key-order",
        ),
        pytest.param(APPEND, "l: [1]", "l: {x: 1}", {"l:x": (1, "a:1 b:1")}, id="append-no-list"),
        pytest.param(NONE, "l: [1]", "l: [2]", {"l:0": (2, "a:1 b:1")}, id="none"),
        pytest.param(UNKNOWN, "l: [1]", "l: [2]", {"l:0": (2, "a:1 b:1")}, id="unknown"),
        pytest.param(
            OVERWRITE,
            "m: {x: 1}\nk: 1\nn: 0",
            "m: {y: 2}\nk: 2\no: 3",
            {
                "m:y": (2, "a:1 b:1"),
                "k": (2, "a:2 b:2"),
                "n": (0, "a:3"),
                "o": (3, "b:3"),
            },
            id="overwrite",
        ),
        pytest.param(
            OVERWRITE,
            "m: {x: 1,\n y: {a: 2,\n b: 3},\n z: 4}",
            "m: {y: {b: 5},\n z: 6,\n w: 7}",
            {"m:y:b": (5, "a:1 a:2 a:3 b:1"), "m:z": (6, "a:4 b:2"), "m:w": (7, "b:3")},
            id="overwrite-by-key",
        ),
        pytest.param(
            LIST,
            "k: 1\nn: 0",
            "k: 2\no: 3",
            {"k:0": (1, "a:1"), "k:1": (2, "b:1"), "n": (0, "a:2")},
            id="list",
        ),
        pytest.param(
            AGGREGATE,
            "m: {x: 1,\n y: 1}\nl: [1]\nk: 1",
            "m: {y: 2}\nl: [2]\no: 3",
            {
                "m:y": (2, "a:1 a:2 b:1"),
                "l:0": (2, "a:3 b:2"),
                "k": (1, "a:4"),
                "o": (3, "b:3"),
            },
            id="aggregate-untagged",
        ),
    ],
)
def test_merge(rules: MergeRules, base: str, update: str, told: dict[str, tuple[Any, str]]) -> None:
    merged = Merger(rules, {}).merge(grow_yaml(base, "a"), grow_yaml(update, "b"))
    assert describe(merged) == told
    assert [(type(value), path) for path, (value, _) in describe(merged).items()] == [
        (type(value), path) for path, (value, _) in told.items()
    ]


@pytest.mark.parametrize(
    ("rules", "base", "update", "told"),
    [
        pytest.param(
            RECURSE,
            "one: &x {p: 1}\ntwo: *x",
            "one: {p: 2}",
            {"one:p": (2, "a:1 b:1"), "two:p": (2, "a:1 b:1")},
            id="change-shows-in-all",
        ),
        pytest.param(
            RECURSE,
            "one: &x {p: 1}\ntwo: *x",
            "one: 5",
            {"one": (5, "a:1 b:1"), "two:p": (1, "a:1")},
            id="replacement-shows-in-one",
        ),
        pytest.param(
            RECURSE,
            "one: 5",
            "one: &x {p: 1}\ntwo: *x",
            {"one:p": (1, "a:1 b:1"), "two:p": (1, "b:1")},
            id="what-one-overrode-the-other-did-not",
        ),
        pytest.param(
            RECURSE,
            "one: &x [1]\ntwo: *x",
            "one: [2]",
            {"one:0": (2, "a:1 b:1"), "two:0": (1, "a:1")},
            id="list-is-replaced-in-one",
        ),
        pytest.param(
            APPEND,
            "one: &x [1]\ntwo: *x",
            "one: [2]",
            {"one:0": (1, "a:1"), "one:1": (2, "b:1"), "two:0": (1, "a:1")},
            id="appended-list-is-a-copy",
        ),
        pytest.param(
            APPEND,
            "one:\n- &x {p: 1}\ntwo: *x",
            "one:\n- {p: 1}\n- {p: 2}\ntwo: {q: 1}",
            {
                "one:0:p": (1, "b:2 a:2"),
                "one:1:p": (2, "b:3"),
                "two:p": (1, "a:2"),
                "two:q": (1, "b:4"),
            },
            id="members-of-an-appended-list-too",
        ),
    ],
)
def test_merge_with_aliases(
    rules: MergeRules, base: str, update: str, told: dict[str, tuple[Any, str]]
) -> None:
    merged = Merger(rules, {}).merge(grow_yaml(base, "a"), grow_yaml(update, "b"))
    assert describe(merged) == told


@pytest.mark.parametrize(
    ("base", "update", "later", "told"),
    [
        pytest.param(
            "one: &x {p: 1}\ntwo: *x",
            "three: 3",
            "two: {p: 9}",
            {"one:p": (9, "a:1 c:1"), "two:p": (9, "a:1 c:1"), "three": (3, "b:1")},
            id="of-the-base",
        ),
        pytest.param(
            "one: &x {p: 1}\ntwo: *x",
            "three: &x {p: 3}\nfour: *x",
            "four: {p: 9}",
            {
                "one:p": (1, "a:1"),
                "two:p": (1, "a:1"),
                "three:p": (9, "b:1 c:1"),
                "four:p": (9, "b:1 c:1"),
            },
            id="of-both-stay-apart",
        ),
        pytest.param(
            "one: {}",
            "one: &x {in: {p: 1}}\ntwo: *x",
            "one: {in: {p: 9}}",
            {"one:in:p": (9, "b:1 c:1"), "two:in:p": (9, "b:1 c:1")},
            id="that-a-move-made",
        ),
        pytest.param(
            "one: &x {p: 1}\ntwo: *x",
            "one: &y [1]\ntwo: 2",
            "one: 3",
            {"one": (3, "a:1 b:1 c:1"), "two": (2, "a:1 b:2")},
            id="that-are-gone",
        ),
    ],
)
def test_aliases_outlive_a_merge(
    base: str, update: str, later: str, told: dict[str, tuple[Any, str]]
) -> None:
    merger = Merger(RECURSE, {})
    merged = merger.merge(grow_yaml(base, "a"), grow_yaml(update, "b"))
    assert describe(merger.merge(merged, grow_yaml(later, "c"))) == told


def test_object_used_once_has_no_alias_number() -> None:
    base, update = grow_yaml("one: &x {p: 1}\ntwo: *x", "a"), grow_yaml("two: 2", "b")
    merged = Merger(RECURSE, None).merge(base, update)
    assert not merged.shared


def test_object_that_one_mapping_ends_up_in_itself_is_an_error() -> None:
    base = grow_yaml("one: &y {}\ntwo: *y", "a")
    update = grow_yaml("x: &x {p: 1}\none: {k: *x}\ntwo: {k: {k: *x}}", "b")
    with pytest.raises(MergeError, match="maximum recursion depth exceeded"):
        Merger(RECURSE, None).merge(base, update)


@pytest.mark.parametrize(
    ("kept", "offered", "members"),
    [
        pytest.param("plain", "plain", 1, id="plain"),
        pytest.param("ordered", "plain", 1, id="one-plain"),
        pytest.param("ordered", "ordered", 2, id="ordered"),
        pytest.param("ordered", "sls", 2, id="yamlex"),
    ],
)
def test_key_order_counts_between_ordered_mappings(kept: Any, offered: Any, members: int) -> None:
    base = grow_yaml("l: [{x: 1, y: 2}]", "a", kept)
    update = grow_yaml("l: [{y: 2, x: 1}]", "b", offered)
    merged = Merger(APPEND, None).merge(base, update).items["l"]
    assert isinstance(merged, ListNode)
    assert len(merged.items) == members


@pytest.mark.parametrize(
    ("member", "offered", "members"),
    [
        pytest.param((1, 2), (1.0, 2), 1, id="tuples"),
        pytest.param({1, 2}, {2, 1}, 1, id="sets"),
        pytest.param(frozenset({1}), {1}, 1, id="set-and-frozen-set"),
        pytest.param({1}, {2}, 2, id="other-sets"),
        pytest.param(float("nan"), float("nan"), 2, id="nan"),
    ],
)
def test_members_that_are_no_yaml(member: Any, offered: Any, members: int) -> None:
    base, update = (
        MapNode({"l": ListNode((Leaf(value, (ORIGIN,)),), (ORIGIN,))}, (ORIGIN,))
        for value in (member, offered)
    )
    merged = Merger(APPEND, None).merge(base, update).items["l"]
    assert isinstance(merged, ListNode)
    assert len(merged.items) == members


@pytest.mark.parametrize(
    ("base", "update", "secret"),
    [
        pytest.param("gpg renderer", None, None, id="overridden"),
        pytest.param(None, "gpg renderer", "gpg renderer", id="overriding"),
    ],
)
def test_secret_mark_is_that_of_the_leaf_that_stands(
    base: str | None, update: str | None, secret: str | None
) -> None:
    old, new = (MapNode({"k": Leaf("x", (ORIGIN,), mark)}, ()) for mark in (base, update))
    leaf = Merger(RECURSE, None).merge(old, new).items["k"]
    assert isinstance(leaf, Leaf)
    assert leaf.secret == secret


def test_secret_mark_of_an_equal_member_stays() -> None:
    lists = (ListNode((Leaf("x", (ORIGIN,), mark),), ()) for mark in (None, "gpg renderer"))
    old, new = (MapNode({"l": item}, ()) for item in lists)
    merged = Merger(APPEND, None).merge(old, new).items["l"]
    assert isinstance(merged, ListNode)
    (leaf,) = merged.items
    assert isinstance(leaf, Leaf)
    assert leaf.secret == "gpg renderer"


def test_overwritten_base_keeps_its_keys() -> None:
    base, update = grow_yaml("k: {x: 1}\nn: 0", "a"), grow_yaml("k: {y: 2}\no: 3", "b")
    became = Merger(OVERWRITE, {}).overwritten_base(base, update)
    assert describe(became) == {"k:y": (2, "a:1 b:1"), "n": (0, "a:2")}
    assert Merger(RECURSE, {}).overwritten_base(base, update) is base


MAPPING = grow_yaml("k: 1\nn: 0", "a")
LISTED = ListNode((Leaf("k", (ORIGIN,)), Leaf("n", (ORIGIN,))), (ORIGIN,))
NOT_MAPPINGS = "Cannot update using non-dict types in dictupdate.update()"


@pytest.mark.parametrize(
    ("rules", "base", "update", "message"),
    [
        pytest.param(RECURSE, MAPPING, LISTED, NOT_MAPPINGS, id="recurse"),
        pytest.param(RECURSE, LISTED, MAPPING, NOT_MAPPINGS, id="recurse-base"),
        pytest.param(NONE, MAPPING, Leaf("x", (ORIGIN,)), NOT_MAPPINGS, id="none"),
        pytest.param(OVERWRITE, MAPPING, LISTED, NOT_MAPPINGS, id="overwrite"),
        pytest.param(LIST, LISTED, MAPPING, "'list' object has no attribute 'items'", id="list"),
        pytest.param(
            LIST, MAPPING, LISTED, "list indices must be integers or slices, not str", id="in-list"
        ),
        pytest.param(
            LIST, MAPPING, Leaf(5, (ORIGIN,)), "argument of type 'int' is not iterable", id="int"
        ),
    ],
)
def test_what_is_no_mapping(rules: MergeRules, base: Node, update: Node, message: str) -> None:
    with pytest.raises(MergeError) as caught:
        Merger(rules, {}).merge(base, update)
    assert str(caught.value) == message


def test_list_strategy_asks_a_list_for_its_numbers() -> None:
    base = grow_yaml("1: a\nz: b", "a")
    update = ListNode((Leaf(0, (ORIGIN,)), Leaf(1, (ORIGIN,))), (ORIGIN,))
    merged = Merger(LIST, {}).merge(base, update)
    assert describe(merged) == {"1:0": ("a", "a:1"), "1:1": (1, "x:1"), "z": ("b", "a:2")}


@pytest.mark.parametrize(
    ("update", "told"),
    [
        pytest.param(LISTED, {"0": ("k", "a:1 a:2 x:1"), "1": ("n", "x:1")}, id="list"),
        pytest.param(Leaf("t", (ORIGIN,)), {"0": ("t", "a:1 a:2 x:1")}, id="scalar"),
        pytest.param(Leaf(("t",), (ORIGIN,)), {"0": ("t", "a:1 a:2 x:1")}, id="tuple"),
    ],
)
def test_aggregate_takes_anything(update: Node, told: dict[str, tuple[Any, str]]) -> None:
    assert describe(Merger(AGGREGATE, {}).merge(MAPPING, update)) == told


def test_memo_serves_what_lies_below() -> None:
    memo: dict[tuple[Node, ...], Node] = {}
    merger = Merger(RECURSE, memo)
    base, update = grow_yaml("m: {x: 1}", "a"), grow_yaml("m: {x: 2}", "b")
    merged = merger.merge(base, update)
    again = merger.merge(MapNode({**base.items}, ()), MapNode({**update.items}, ()))
    assert again.items["m"] is merged.items["m"]
    assert len(memo) == 4


@pytest.mark.parametrize("rules", [RECURSE, OVERWRITE])
def test_a_tree_that_is_merged_with_itself_overrides_nothing(rules: MergeRules) -> None:
    tree = grow_yaml("l: [x, y]\nd: {m: [{n: 1}, {n: 2}], e: []}\n", "a")
    assert describe(Merger(rules, None).merge(tree, tree)) == describe(tree)


@pytest.mark.parametrize("rules", [RECURSE, APPEND, OVERWRITE, LIST])
def test_steps_between_are_not_kept(rules: MergeRules) -> None:
    count = 2 * MAX_STEPS
    texts = (f"k{number}: 1\ncommon: {{k{number}: [1]}}" for number in range(count))
    trees = [grow_yaml(text, "a") for text in texts]
    memo: dict[tuple[Node, ...], Node] = {}
    Merger(rules, memo).merge_all(tuple(trees))
    sizes = [len(node.items) for node in memo.values() if isinstance(node, MapNode)]
    assert sum(sizes) < 4 * count
